"""The page of one game, and the list of all pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...games.kit import Game
from .html import code, document, element, encode, fold, indent, link, table, text
from .look_section import draw_look
from .page_words import WORDS
from .rules_text import render_rules

Plain = Mapping[str, Any]
SECTIONS = (
    "options",
    "actions",
    "news",
    "refusals",
    "questions",
    "documents",
    "coordinates",
    "look",
    "catalog",
    "rules",
)


def render_game_list(games: Iterable[Game], lang: str) -> str:
    """Return the page that lists the games."""
    words = WORDS[lang]
    rows = (element("li", link(f"/docs/games/{game.name}?lang={lang}", title_of(game, lang))) for game in games)
    body = draw_navigation("/docs/games", lang) + text("h1", words["games"]) + text("p", words["list_intro"])
    return document(words["games"], lang, body + element("ul", "".join(rows)))


def title_of(game: Game, lang: str) -> str:
    return game.title.get(lang, game.title["en"])


def draw_navigation(path: str, lang: str) -> str:
    """Return the links to other pages, and to the same page in the other language."""
    words, other = WORDS[lang], "en" if lang == "de" else "de"
    links = [link("/docs", words["protocol"]), link(f"/docs/games?lang={lang}", words["games"])]
    links.append(text("a", words["other"], href=f"{path}?lang={other}", hreflang=other))
    return element("nav", element("ul", "".join(element("li", each) for each in links)))


def render_game_page(game: Game, described: Plain, lang: str) -> str:
    """Return the page of a game; `described` is what `/v1/games/<name>` has of it in every language."""
    return GamePage(game, described, lang).render()


class GamePage:
    """The page of one game in one language."""

    def __init__(self, game: Game, described: Plain, lang: str) -> None:
        self.game, self.described, self.lang, self.words = game, described, lang, WORDS[lang]
        self.schemas = described["description"]["schemas"]
        self.labels: Plain = described["description"]["labels"]
        self.examples = described["examples"]

    def render(self) -> str:
        path, title = f"/docs/games/{self.game.name}", title_of(self.game, self.lang)
        address = f"/v1/games/{self.game.name}?lang={self.lang}"
        body = [
            draw_navigation(path, self.lang),
            text("h1", title),
            element("p", f"{text('span', self.words['intro'])} {link(address, f'GET /v1/games/{self.game.name}')}."),
            self.draw_summary(),
            self.draw_contents(),
            *(self.draw_section(name, getattr(self, f"draw_{name}")()) for name in SECTIONS),
        ]
        return document(title, self.lang, "".join(body))

    def draw_summary(self) -> str:
        low, high, words = self.game.players[0], self.game.players[-1], self.words
        notice = self.game.catalog.get("meta", {}).get(f"notice_{self.lang}", "")
        facts = f"{words['players']}: {low}-{high} · {words['bots']}: {', '.join(self.game.policies)}"
        return text("p", facts) + (text("p", notice, class_="muted") if notice else "")

    def draw_contents(self) -> str:
        items = (element("li", link(f"#{name}", self.words[name])) for name in SECTIONS)
        return element("nav", element("ul", "".join(items)))

    def draw_section(self, name: str, content: str) -> str:
        intro = self.words.get(f"{name}_intro", "")
        head = text("h2", self.words[name], id=name) + (text("p", intro) if intro else "")
        return element("section", head + content)

    def translate(self, phrase: Plain | None) -> str:
        """Return a label in the language of the page; "" if there is none."""
        return str((phrase or {}).get(self.lang) or (phrase or {}).get("en", ""))

    # Actions, news, refusals, questions

    def draw_actions(self) -> str:
        return "".join(self.draw_action(verb) for verb in self.schemas.get("actions", {}))

    def draw_action(self, verb: str) -> str:
        label, example = self.labels.get("verbs", {}).get(verb, {}), self.examples["actions"].get(verb)
        parts = [self.draw_head(f"action-{verb}", verb, label), self.draw_fields(self.schemas["actions"][verb], "do")]
        return element("article", "".join([*parts, self.draw_example(example, ("choice", "action", "news"))]))

    def draw_news(self) -> str:
        return "".join(self.draw_one_news(name) for name in self.schemas.get("news", {}))

    def draw_one_news(self, name: str) -> str:
        label, example = self.labels.get("news", {}).get(name, {}), self.examples["news"].get(name)
        parts = [self.draw_head(f"news-{name}", name, label), self.draw_fields(self.schemas["news"][name], "news")]
        return element("article", "".join([*parts, self.draw_example(example, ("action", "to", "news"))]))

    def draw_head(self, anchor: str, name: str, label: Plain) -> str:
        head = element("h3", text("code", name), id=anchor)
        said = [self.translate(label.get("label")), self.translate(label.get("sentence"))]
        return head + "".join(text("p", each) for each in said if each)

    def draw_refusals(self) -> str:
        codes = sorted({*self.labels.get("errors", {}), *self.examples["refusals"]})
        return "".join(self.draw_refusal(name) for name in codes)

    def draw_refusal(self, name: str) -> str:
        example = self.examples["refusals"].get(name)
        head = element("h3", text("code", name), id=f"refusal-{name}")
        said = self.translate(self.labels.get("errors", {}).get(name)) or (example or {}).get("refused", {}).get(
            "sentence", ""
        )
        rule = (example or {}).get("refused", {}).get("rule", "")
        parts = [head, text("p", said) if said else "", element("p", link(f"#{rule}", rule)) if rule else ""]
        return element("article", "".join([*parts, self.draw_example(example, ("action", "refused", "reason"))]))

    def draw_questions(self) -> str:
        return "".join(
            element(
                "article",
                element("h3", text("code", name), id=f"question-{name}")
                + self.draw_example(self.examples["questions"].get(name), ("question", "reason")),
            )
            for name in self.game.topics
        )

    def draw_example(self, example: Plain | None, parts: Iterable[str]) -> str:
        """Return an example: the named parts as JSON, and the explanation in words if there is one."""
        if example is None:
            return text("p", self.words["no_examples"], class_="muted") if not self.examples["games"] else ""
        told = "\n".join(example.get("text", {}).get(self.lang, ()))
        return "".join(
            [
                text("p", self.describe_origin(example), class_="muted"),
                text("pre", ",\n".join(f"{encode(name)}: {encode(example[name])}" for name in parts)),
                text("p", self.words["explanation"], class_="muted") + text("pre", told) if told else "",
            ]
        )

    def describe_origin(self, example: Plain) -> str:
        played = self.examples["games"][example["game"]]
        return self.words["recorded"].format(game=example["game"], players=played["players"], seat=example["seat"])

    def draw_fields(self, schema: Plain, tag: str) -> str:
        """Return the fields of an action or of news in a table."""
        definition = schema["$defs"][schema["$ref"].rpartition("/")[2]]
        fields = {name: node for name, node in definition.get("properties", {}).items() if name != tag}
        labels = self.labels.get("fields", {})
        rows = (
            [code(name), text("span", self.translate(labels.get(name))), code(node)] for name, node in fields.items()
        )
        said = definition.get("description", "")
        head = [self.words["field"], self.words["meaning"], self.words["type"]]
        return (text("p", said, class_="muted") if said else "") + table(head, rows)

    # Documents

    def draw_options(self) -> str:
        schema = self.schemas.get("options")
        if not schema:
            return ""
        fields = schema["$defs"][schema["$ref"].rpartition("/")[2]].get("properties", {})
        head = [self.words["option"], self.words["meaning"], self.words["default"], self.words["type"]]
        return table(head, (self.list_option(name, dict(node)) for name, node in fields.items()))

    def list_option(self, name: str, node: dict[str, Any]) -> list[str]:
        label = self.translate(self.labels.get("options", {}).get(name))
        default = [code(node.pop("default"))] if "default" in node else [""]
        return [code(name), text("span", label), *default, code(node)]

    def draw_documents(self) -> str:
        shown = (name for name in ("board", "hand", "options") if name in self.schemas)
        return "".join(fold(self.words[name], text("pre", indent(self.schemas[name]))) for name in shown)

    def draw_coordinates(self) -> str:
        system = self.described["description"]["coordinates"]
        if system["kind"] == "none":
            return text("p", self.words["no_coordinates"])
        axes = (
            [code(axis["name"]), text("span", self.translate(axis["label"])), text("span", self.describe_axis(axis))]
            for axis in system.get("axes", ())
        )
        head = [self.words["axis"], self.words["name"], self.words["direction"]]
        forms = (self.draw_form(name, system[name]) for name in ("cell", "vertex") if system.get(name))
        origin = self.translate(system.get("origin"))
        return table(head, axes) + (text("p", f"{self.words['origin']}: {origin}") if origin else "") + "".join(forms)

    def describe_axis(self, axis: Plain) -> str:
        values = f" ({', '.join(axis['values'])})" if axis.get("values") else ""
        return f"{axis['direction']}: {self.translate(axis['towards'])}{values}"

    def draw_form(self, name: str, form: Plain) -> str:
        said = f"{self.words[name]} ({form['form']}): {self.translate(form['looks'])}, "
        return element("p", text("span", said) + code(form["example"]))

    # Look, catalog, rules

    def draw_look(self) -> str:
        return draw_look(self.described["look"], self.words)

    def draw_catalog(self) -> str:
        return "".join(self.draw_catalog_section(name, part) for name, part in self.game.catalog.items())

    def draw_catalog_section(self, name: str, part: Any) -> str:
        count = f"{name} ({len(part)} {self.words['entries']})" if isinstance(part, dict | list) else name
        entries = (
            [
                {"id": key, "": value} if not isinstance(value, dict) else {"id": key, **value}
                for key, value in part.items()
            ]
            if isinstance(part, dict)
            else part
        )
        lines = "\n".join(encode(entry) for entry in entries) if isinstance(entries, list) else encode(entries)
        return fold(count, text("pre", lines))

    def draw_rules(self) -> str:
        if not self.game.rules_text:
            return text("p", self.words["no_rules"])
        rules = render_rules(self.game.rules_text).replace("<table>", '<div class="scroll"><table>')
        rules = rules.replace("</table>", "</table></div>")
        return text("p", self.words["rules_language"], class_="muted") + element("div", rules, lang="en")
