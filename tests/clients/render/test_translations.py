"""Translations: what a language must provide, which one is chosen, and what the platform says in it."""

from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import get_args

import pytest

from palatine_client.cli.errors import build_error
from palatine_client.exceptions import Disconnected
from palatine_client.render import games, translations
from palatine_client.render.translations import LANGUAGES, Lang, detect_language, load_language, translate_refusal
from palatine_client.render.translations.completeness import list_gaps
from palatine_protocol.errors import Close, Code

# Games with words of their own
WITH_WORDS = [f"{games.__name__}.{each.name}" for each in iter_modules(games.__path__) if each.ispkg]
PACKAGES = [translations.__name__, *(package for package in WITH_WORDS if find_spec(f"{package}.english"))]
every_package = pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.rpartition(".")[2])
every_language = pytest.mark.parametrize("lang", LANGUAGES)


# A language is one module in each package. It provides every key of English, with the same placeholders.


@every_package
@every_language
def test_every_language_provides_everything_that_english_has(package: str, lang: str) -> None:
    assert list_gaps(load_language(package, lang), load_language(package, "en")) == []


def test_a_new_language_is_told_what_it_lacks() -> None:
    english, new = ModuleType("english"), ModuleType("new")
    english.LABELS = {"one": "{} card", "two": "two", "three": "{who} {has}"}  # type: ignore[attr-defined]
    english.HELP = ("Help",)  # type: ignore[attr-defined]
    english.COUNTED = {"card": ("1 card", "{} cards")}  # type: ignore[attr-defined]
    new.LABELS = {"one": "card", "three": "{who} {is}"}  # type: ignore[attr-defined]
    new.COUNTED = {"card": ("1 card", "{} cards")}  # type: ignore[attr-defined]
    new.VERB_FORMS = {"is": ("are", "is"), "has": ("have", "has")}  # type: ignore[attr-defined]
    assert list_gaps(new, english) == [
        "HELP is missing",
        "LABELS['one'] has other placeholders than English",
        "LABELS['two'] is missing",
    ]


def test_the_command_line_offers_every_language() -> None:
    assert get_args(Lang) == tuple(LANGUAGES)


@every_package
def test_an_unknown_language_is_english(package: str) -> None:
    assert load_language(package, "xx") is load_language(package, "en")


# The platform


def test_refusals_that_have_words_of_ours_exist() -> None:
    for lang in LANGUAGES:
        language = load_language(translations.__name__, lang)
        assert language.REFUSALS.keys() | language.TABLE_REFUSALS.keys() <= {code.value for code in Code}


# The client itself sends hello. Operators import records, in English.
# Refusals of origins, upgrades and addresses are for authors of other clients.
FOR_AUTHORS = {Code.ORIGIN_NOT_ALLOWED, Code.UPGRADE_REQUIRED, Code.NO_SUCH_ADDRESS}
NEVER_SHOWN = {Code.HELLO_FIRST, Code.HELLO_ONCE, Code.BAD_RECORD, Code.TABLE_EXISTS, *FOR_AUTHORS}


@pytest.mark.parametrize("code", sorted({*Code} - NEVER_SHOWN))
@pytest.mark.parametrize("at_table", [True, False])
def test_every_refusal_that_a_player_may_see_has_a_german_sentence(code: Code, at_table: bool) -> None:
    shown = translate_refusal("de", code, code.sentence, at_table=at_table)
    assert shown != code.sentence
    assert shown != translate_refusal("en", code, code.sentence, at_table=at_table)
    assert "{" not in shown


def test_a_connection_that_is_over_for_good_says_why_in_the_players_language() -> None:
    for lang in LANGUAGES:
        endings = load_language(translations.__name__, lang).CONNECTION_ENDINGS
        assert endings.keys() == {Close.BAD_TOKEN, Close.REVOKED}
    revoked = Disconnected(Close.REVOKED, Close.REVOKED.advice)
    assert build_error(revoked, "", "de").sentence == (
        "Dein Zugang wurde widerrufen, oder du wurdest ausgeschlossen oder gelöscht."
    )
    assert build_error(Disconnected(403, "Because."), "", "de").sentence == "Because."


def test_a_refusal_without_words_of_ours_is_shown_in_those_of_the_server() -> None:
    assert translate_refusal("de", "game_over", "The game is over.") == "Das Spiel ist aus."
    assert translate_refusal("de", "never_heard_of", "Because.") == "Because."


@pytest.mark.parametrize(
    ("spoken", "lang"), [("de_AT.UTF-8", "de"), ("en_GB", "en"), ("C", "en"), ("fr_FR", "en"), ("de", "de")]
)
def test_the_machine_says_which_language_to_speak(monkeypatch: pytest.MonkeyPatch, spoken: str, lang: str) -> None:
    for name in ("PALATINE_LANG", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", spoken)
    assert detect_language() == lang
