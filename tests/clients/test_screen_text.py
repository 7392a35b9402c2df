"""Foreign text on a screen: one function, one console, and no other way to print."""

import ast
import io
import json
import logging
import sys
from functools import cache
from pathlib import Path

import pytest
from clients.hostile_text import ATTACKS, EVERYTHING, must_be_harmless
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from palatine_client.cli.ui.keyboard import clean_prompt
from palatine_client.screen_console import ScreenConsole, show_uncaught
from palatine_client.screen_text import LONGEST, is_harmless, screen_json, screen_lines, screen_text
from palatine_server.cli.commands import shadow
from palatine_server.log_format import LineFormatter, as_json, as_text
from palatine_server.rules_comparison import TableVerdict

ROOT = Path(__file__).parent.parent.parent
every_attack = pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)


# The function


@every_attack
def test_attacks_become_visible_and_keep_their_length(attack: str) -> None:
    shown = screen_text(attack)
    assert len(shown) == len(attack)
    assert is_harmless(shown)
    must_be_harmless(shown)


@pytest.mark.parametrize(
    "text",
    [
        "Anna",
        "Zoë Müller-Lüdenscheidt",
        "Ирина",
        "小林",
        "صادق",
        "می\u200cخواهم",  # Persian needs a joiner
        "👩\u200d👩\u200d👧 ❤️ 🏰",  # so do families
        "नमस्ते",
        "ein\xa0Wort",
        "╭─ 7 · ½ ─╮",
        "[red]x[/]",
        "a\u0301\u0302",
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert screen_text(text) == text


def test_joiners_between_latin_letters_hide_nothing() -> None:
    assert screen_text("An\u200dna\u200c") == "An�na�"


def test_lines_are_kept_only_where_they_are_wanted() -> None:
    assert screen_lines("a\nb\tc\r\nd") == "a\nb c�\nd"
    assert screen_text("a\nb") == "a b"


def test_halves_of_characters_do_not_break_the_output() -> None:
    assert screen_text("a\ud800b") == "a�b"


@pytest.mark.parametrize("longest", [1, 10, LONGEST])
def test_long_text_is_cut(longest: int) -> None:
    assert screen_text("x" * (LONGEST + 1), longest) == "x" * (longest - 1) + "…"


@every_attack
def test_json_says_the_same_with_escapes(attack: str) -> None:
    encoded = json.dumps({"said": attack}, ensure_ascii=False).encode()
    assert json.loads(screen_json(encoded)) == {"said": attack}
    assert not {char for char in screen_json(encoded) if not char.isprintable()} - {"\xa0"}


# The console


def printed(*what: object, coloured: bool = True, **how: object) -> str:
    page = io.StringIO()
    ScreenConsole(file=page, width=200, force_terminal=coloured, color_system="truecolor" if coloured else None).print(
        *what, **how
    )
    return page.getvalue()


def table_of(text: str) -> Table:
    table = Table(text, title=text, caption=text)
    table.add_row(text)
    table.add_row(Text(text, "bold"))
    return table


@every_attack
@pytest.mark.parametrize("coloured", [True, False])
def test_whatever_is_printed_is_harmless(attack: str, coloured: bool) -> None:
    renderables = [attack, Text(attack, "bold"), Panel(attack, title=Text(attack)), table_of(attack), [attack]]
    for what in renderables:
        must_be_harmless(printed(what, coloured=coloured), shows="pwned")


def test_strings_are_no_markup() -> None:
    assert printed("[red]x[/] :skull: [link=http://e]y[/]", coloured=False) == "[red]x[/] :skull: [link=http://e]y[/]\n"


def test_links_of_styles_are_removed_but_not_the_style() -> None:
    assert printed(Text("x", "bold link http://evil.example")) == "\x1b[1mx\x1b[0m\n"


def test_styles_stay_where_they_were() -> None:
    assert printed(Text.assemble(("a\x1b", "bold"), "b")) == "\x1b[1ma�\x1b[0mb\n"


def test_displays_that_are_drawn_anew_are_harmless() -> None:
    page = io.StringIO()
    console = ScreenConsole(file=page, width=200, force_terminal=True)
    with Live(table_of(EVERYTHING), console=console, auto_refresh=False) as live:
        live.update(Panel(EVERYTHING), refresh=True)
        console.print(EVERYTHING)
    must_be_harmless(page.getvalue())


@every_attack
def test_prompts_are_harmless(attack: str) -> None:
    must_be_harmless(clean_prompt(f"{attack} chooses"))


# Exceptions and logs


def test_exceptions_that_nobody_caught_are_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        raise ValueError(EVERYTHING)
    except ValueError:
        show_uncaught(*sys.exc_info())  # type: ignore[arg-type]
    written = capsys.readouterr().err
    must_be_harmless(written)
    assert "in test_exceptions_that_nobody_caught_are_harmless" in written


class Quoting(Exception):  # noqa: N818
    """An error of ours that quotes."""

    __module__ = "palatine_server.tests"


@pytest.mark.parametrize("write", [as_text, as_json])
def test_log_lines_are_harmless_and_stay_one_line(write: object) -> None:
    error = Quoting(f"{EVERYTHING}\nsecond line")
    record = logging.getLogger("palatine").makeRecord("palatine", 40, "x", 1, "a sentence", (), (Quoting, error, None))
    written = LineFormatter(write).format(record)  # type: ignore[arg-type]
    must_be_harmless(written)
    assert "\n" not in written


@every_attack
def test_shadow_shows_hostile_tables_harmlessly(attack: str) -> None:
    page = io.StringIO()
    found = [TableVerdict(table=attack, game=attack, edition=attack, versions=3, at=2, how=attack)]
    shadow.print_verdicts(ScreenConsole(file=page, width=400, force_terminal=True), found)
    must_be_harmless(page.getvalue())


# No other way

PACKAGES = ("clients/python/palatine_client", "server/palatine_server")
OUR_OWN_TEXT = {  # what these print was not written by others
    "clients/python/palatine_client/cli/main.py: typer.echo(f\"palatine {version('palatine')}\")",
    "server/palatine_server/cli/commands/token.py: "
    "typer.echo(TokenSigner(secret, time.time).create_token(name, kind, days)[0])",
}
HARMLESS = ("screen_text(", "screen_lines(", "screen_json(")
WRITERS = ("print", "typer.echo", "click.echo", "sys.stdout.write", "sys.stderr.write", "sys.exit", "rich.print")


@cache
def calls() -> list[tuple[str, ast.Call]]:
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    walked = ((path, node) for path in paths for node in ast.walk(ast.parse(path.read_text())))
    return [(str(path.relative_to(ROOT)), node) for path, node in walked if isinstance(node, ast.Call)]


@cache
def name_of(call: ast.Call) -> str:
    return ast.unparse(call.func)


def test_every_console_is_a_screen_console() -> None:
    made = [(path, ast.unparse(call)) for path, call in calls() if name_of(call) in ("Console", "get_console")]
    assert made == []
    assert sum(name_of(call) == "ScreenConsole" for _, call in calls()) > 10


def test_what_is_not_printed_on_a_console_goes_through_the_function() -> None:
    written = [(path, call) for path, call in calls() if name_of(call) in WRITERS and call.args]
    assert len(written) > 5
    odd = [f"{path}: {ast.unparse(call)}" for path, call in written if not said_harmlessly(call)]
    assert {*odd} <= OUR_OWN_TEXT


def said_harmlessly(call: ast.Call) -> bool:
    return ast.unparse(call.args[0]).startswith(HARMLESS) or isinstance(call.args[0], ast.Constant)


def test_markup_is_never_read() -> None:
    for path, call in calls():
        given = {word.arg: ast.unparse(word.value) for word in call.keywords}
        assert given.get("markup") != "True", f"{path}: {ast.unparse(call)}"
        if name_of(call) in ("Panel", "Panel.fit"):  # rich reads markup in their titles
            assert given.get("title", "Text(").startswith(("'", "Text(")), f"{path}: {ast.unparse(call)}"
        assert not name_of(call).endswith("from_markup"), path
