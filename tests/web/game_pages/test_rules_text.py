"""RULES.md as HTML: every rule that a refusal, an explanation or a score cites has its anchor."""

import re

import pytest
from games.lower_bounds import find_least
from games.registered import every_game

from palatine_server.checks.explanations import hand_out_reasons, hand_out_refusals, list_reasons
from palatine_server.games.kit import Game, Reason
from palatine_server.games.kit.rule_ids import list_defined
from palatine_server.web.game_pages.rules_text import list_paragraphs, render_rules

TEXT = """# Lanterns

See LQ-LAY-2 and [the catalog](catalog.toml) first.

- **LQ-LAY-1** Lay `a < b`. LQ-LAY-2 Then *another* one, as LQ-LAY-1 says.
- **LQ-LAY-3** *Neighbours* of a cell share an edge -> `not_adjacent`. They are lit. [A-2]
- **LQ-LAY-4 [R, layout P]** A lantern [J] may stand *alone*, as [the catalog](catalog.toml) says. [A-2, A-3]

| rule | words |
|---|---|
| LQ-END-1 | The **last** lantern ends it |

<script>alert(1)</script>
"""


def find_anchors(html: str) -> list[str]:
    return re.findall(r' id="([^"]+)"', html)


@every_game
def test_every_cited_rule_has_its_anchor(game: Game) -> None:
    cited = set[str]()

    def note(reason: Reason) -> None:
        cited.update(each.rule for each in list_reasons(reason))

    for seed in range(2):
        hand_out_refusals(game, game.players[-1], seed, note)
        hand_out_reasons(game, game.players[-1], seed, lambda _, reason: note(reason), often=0.05)
    assert len(cited) > (find_least(game, "rules that are cited") or 0)
    assert cited - {""} <= {*find_anchors(render_rules(game.rules_text))}
    assert cited - {""} <= list_paragraphs(game.rules_text).keys()


@every_game
def test_every_defined_rule_has_one_anchor_and_its_words(game: Game) -> None:
    defined, anchors = list_defined(game.rules_text), find_anchors(render_rules(game.rules_text))
    assert len(anchors) == len({*anchors})
    assert defined <= {*anchors}
    assert {rule for rule, words in list_paragraphs(game.rules_text).items() if words} == defined


def test_an_anchor_is_where_the_rule_is_defined_and_a_link_elsewhere() -> None:
    html = render_rules(TEXT)
    assert 'See <a href="#LQ-LAY-2">LQ-LAY-2</a>' in html
    assert '<a id="LQ-LAY-2" class="rule" href="#LQ-LAY-2">LQ-LAY-2</a> Then' in html
    assert 'as <a href="#LQ-LAY-1">' in html
    assert '<td><a id="LQ-END-1"' in html


def test_text_is_escaped_and_links_to_files_are_left_out() -> None:
    html = render_rules(TEXT)
    assert "<script" not in html
    assert "<code>a &lt; b</code>" in html
    assert "catalog.toml" not in html
    assert "the catalog first" in html


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("LQ-LAY-1", "Lay a < b."),
        ("LQ-LAY-2", "Then another one, as LQ-LAY-1 says."),
        ("LQ-LAY-3", "Neighbours of a cell share an edge. They are lit."),
        ("LQ-LAY-4", "A lantern may stand alone, as the catalog says."),
        ("LQ-END-1", "The last lantern ends it"),
    ],
)
def test_a_rule_has_its_words(rule: str, words: str) -> None:
    assert list_paragraphs(TEXT)[rule] == words


@every_game
def test_the_words_of_rules_are_plain_text(game: Game) -> None:
    marked = re.compile(r"[*`]|->|\[[A-Z][-/,\]]")
    assert {rule: words for rule, words in list_paragraphs(game.rules_text).items() if marked.search(words)} == {}


def test_a_game_without_rules_has_none() -> None:
    assert (render_rules(""), list_paragraphs("")) == ("", {})
