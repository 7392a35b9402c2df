"""RULES.md as HTML, with an anchor at every rule id, and as one paragraph for each rule id."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ...games.kit.rule_ids import ID, list_defined

RULE = re.compile(rf"\b{ID}\b")
BEFORE_A_DEFINITION = {"strong_open", "em_open", "softbreak", "hardbreak"}
MARK = r"[A-Z](?:-\d+)?"
# The source of a rule, `[R/J]`, a ruling on it, `[A-2]`, or any note beside its id.
NOTES = re.compile(rf"\s*\[{MARK}(?:(?:/|, ){MARK})*\]|^ \[[^\]]+\](?=\*\*)")
CODES = re.compile(r"\s*->\s*`\w+`")  # the code with which the server refuses what a rule forbids
HEADING_ANCHOR = "rules-"  # anchors of headings begin with it, so that they differ from those of the page


def parse_rules(text: str) -> tuple[MarkdownIt, list[Token]]:
    """Return the tokens of a text, and their renderer."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    return markdown, markdown.parse(text)


def render_rules(text: str) -> str:
    """Return RULES.md as HTML; the ids of rules are anchors where they are defined, and links elsewhere."""
    markdown, tokens = parse_rules(text)
    lower_headings(tokens)
    remove_links(tokens)
    mark_rules(tokens, list_defined(text))
    return str(markdown.renderer.render(tokens, markdown.options, {}))


def lower_headings(tokens: list[Token]) -> None:
    """Make the headings subordinate to that of the page, and give each an anchor."""
    for opening, inside in pairwise(tokens):
        if opening.type == "heading_open":
            name = re.sub(r"[^\w-]", "", inside.content.lower().replace(" ", "-"))
            opening.attrSet("id", HEADING_ANCHOR + name)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"


def remove_links(tokens: list[Token]) -> None:
    """Keep the words of links to files of the package, which the server does not have."""
    for token in tokens:
        is_open = False
        kept = list[Token]()
        for child in token.children or ():
            if child.type == "link_open" and "://" not in str(child.attrGet("href")):
                is_open = True
            elif child.type == "link_close" and is_open:
                is_open = False
            else:
                kept.append(child)
        token.children = kept if token.children else token.children


# Ids of rules


def mark_rules(tokens: list[Token], defined: set[str]) -> None:
    """Turn every id into an anchor or a link. The first place that defines an id has its anchor, or else the first."""
    anchors = find_anchors(tokens, defined)
    for child in [each for token in tokens for each in token.children or ()]:
        if child.type in ("text", "code_inline"):
            child.content = link_rules(child, anchors, defined)
            child.type = "html_inline"


def find_anchors(tokens: list[Token], defined: set[str]) -> dict[str, tuple[int, int]]:
    """Return the token and the place in it where each id has its anchor."""
    first, defining = dict[str, tuple[int, int]](), dict[str, tuple[int, int]]()
    for token in tokens:
        for number, child in enumerate(token.children or ()):
            for match in list_matches(child, defined):
                place = (id(child), match.start())
                first.setdefault(match[0], place)
                if is_definition(token.children or [], number, match):
                    defining.setdefault(match[0], place)
    return first | defining


def list_matches(child: Token, defined: set[str]) -> Iterator[re.Match[str]]:
    if child.type in ("text", "code_inline"):
        yield from (match for match in RULE.finditer(child.content) if match[0] in defined)


def is_definition(children: list[Token], number: int, match: re.Match[str]) -> bool:
    """Return whether an id begins a line, a cell, an item or a sentence."""
    before = children[number].content[: match.start()].strip()
    if before:
        return before[-1] in ".!?"
    earlier = [each for each in children[:number] if each.type != "text" or each.content]
    return not earlier or earlier[-1].type in BEFORE_A_DEFINITION


def link_rules(child: Token, anchors: dict[str, tuple[int, int]], defined: set[str]) -> str:
    """Return the text of a token as HTML."""
    parts, end = list[str](), 0
    for match in list_matches(child, defined):
        rule = match[0]
        anchor = f' id="{rule}" class="rule"' if anchors[rule] == (id(child), match.start()) else ""
        parts += [escape(child.content[end : match.start()]), f'<a{anchor} href="#{rule}">{rule}</a>']
        end = match.end()
    text = "".join([*parts, escape(child.content[end:])])
    return f"<code>{text}</code>" if child.type == "code_inline" else text


# Paragraphs


def list_paragraphs(text: str) -> dict[str, str]:
    """Return the words of every rule by its id, as plain text: without markup, notes and codes of refusals."""
    markdown, tokens = parse_rules(text)
    defined, found = list_defined(text), dict[str, str]()
    lines = [*(token.content for token in tokens if token.type == "inline"), *list_table_rows(tokens)]
    for line in lines:
        for rule, words in split_line(line, defined):
            if plain := write_plainly(words, markdown):
                found.setdefault(rule, plain)
    return found


def list_table_rows(tokens: list[Token]) -> Iterator[str]:
    """Yield the rows of tables, whose first cell may be an id and the others its words."""
    row: list[str] | None = None
    for token in tokens:
        if token.type == "tr_open":
            row = []
        elif token.type == "tr_close" and row is not None:
            yield " | ".join(row)
            row = None
        elif token.type == "inline" and row is not None:
            row.append(token.content)


def split_line(line: str, defined: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the ids that a line defines, each with the Markdown up to the next one."""
    starts = [
        match
        for match in RULE.finditer(line)
        if match[0] in defined and re.search(r"(?:^|[.!?\n]\s*)[*`\s]*$", line[: match.start()])
    ]
    for match, following in pairwise([*starts, None]):
        assert match is not None
        yield match[0], line[match.end() : following.start() if following else len(line)]


def write_plainly(words: str, markdown: MarkdownIt) -> str:
    """Return the Markdown after an id as plain text on one line."""
    unmarked = CODES.sub("", NOTES.sub("", words))
    marked = re.sub(r"^[*`]+(?=[\s:|]|$)|(?<=\s)[*`]+$", "", unmarked)  # what closes this id and opens the next one
    inside = markdown.parseInline(marked)[0].children or []
    plain = "".join(child.content or " " * child.type.endswith("break") for child in inside)
    return " ".join(plain.split()).strip("|: ")
