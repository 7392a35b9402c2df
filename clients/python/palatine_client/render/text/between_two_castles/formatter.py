"""How one viewer hears of Between Two Castles: pieces, places, decisions and news as coloured text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ...terminal import between_two_castles as drawing
from ..phrase_format import Part, choose_verb_forms, fill_phrase
from ..render_context import Plain, Scene


class Speech:
    """The words of the game for one scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.board = scene, scene.board
        self.names = drawing.CastleNames(scene.catalog, scene.lang, scene.names, players=len(scene.people))
        self.language = self.names.language

    def phrase(self, key: str, **values: object) -> str:
        return str(self.language.PHRASES[key].format(**values))

    def spoken(self, key: str, **parts: Part) -> Text:
        """A phrase whose parts keep their colours."""
        return fill_phrase(self.language.PHRASES[key], parts)

    # Who

    def who(self, seat: int) -> str:
        return self.scene.who(seat) if seat < len(self.scene.people) else "Ludwig"

    def partner(self, number: int) -> int:
        """The other partner of one of the viewer's castles."""
        one, other = self.board["castles"][number]["partners"]
        return int(other if one == self.scene.seat else one)

    # Pieces

    def castle(self, number: int) -> str:
        return self.names.piece(self.board["castles"][number]["token"])

    def tile(self, name: str) -> Text:
        return Text(self.room(name)) if self.scene.plain else drawing.tile(name, self.names)

    def room(self, name: str) -> str:
        """A room in words, with its type."""
        piece = self.names.pieces[name]
        kind, decoration = self.language.ROOMS[piece["type"]], self.language.WITH.get(piece["decoration"])
        words = self.phrase("room with", type=kind, decoration=decoration) if decoration else kind
        return f"{self.names.of(piece)} ({words})"

    def kind(self, name: str) -> Text:
        return Text(self.language.ROOMS[name]) if self.scene.plain else drawing.kind(name, self.names)

    def attendant(self, name: str) -> Text:
        return Text(self.names.piece(name)) if self.scene.plain else drawing.attendant(name, self.names)

    def tile_row(self, name: str) -> list[RenderableType]:
        if self.scene.plain:
            return [self.tile(name), Text(self.worth(name))]
        sign = drawing.DECORATIONS.get(self.names.pieces[name]["decoration"], " ")
        return [self.tile(name), sign, Text(self.worth(name))]

    def worth(self, name: str) -> str:
        """What a piece scores, in words."""
        piece, language = self.names.pieces[name], self.language
        if "number" in piece:
            return self.names.card_text(name)
        wanted = str(piece.get("target") or piece["decoration"])
        words = {"target": language.ROOMS.get(wanted, wanted), "decoration": language.WITH.get(wanted, wanted)}
        sentence = language.SCORES[piece.get("pattern", "attendant")]
        return str(sentence.format(points=language.POINTS[piece["points"]], **words))

    # Places

    def place(self, number: int, cell: list[int]) -> str:
        """A cell by its neighbour: what it stands on, or what it stands beside."""
        rooms = {(x, y): name for name, x, y in self.board["castles"][number]["rooms"]}
        rooms |= dict.fromkeys([(0, 0), (1, 0)], self.board["castles"][number]["throne"])
        (x, y) = cell
        neighbours = {"above": (x, y - 1), "right": (x - 1, y), "left": (x + 1, y), "below": (x, y + 1)}
        for word in ("above", "right", "left", "below") if y > 0 else ("right", "left", "below", "above"):
            if neighbours[word] in rooms:
                where = self.phrase(word, room=self.names.piece(rooms[neighbours[word]]))
                return self.phrase("at", where=where, x=x, y=y) if self.scene.plain else where
        return f"({x}, {y})"

    # Actions

    def action(self, action: Plain) -> list[RenderableType] | None:
        """An action, or as much of it as is chosen, in columns."""
        match action:
            case {"do": "place", "tile": tile, "castle": castle, **rest}:
                where = f", {self.place(castle, rest['cell'])}" if "cell" in rest else ""
                return [self.spoken("place", room=self.tile(tile), castle=self.castle(castle)).append(where)]
            case {"do": "take_back", "castle": castle}:
                laid = self.board["castles"][castle]["laid"][-1][1]
                return [self.spoken("take_back", room=self.tile(laid), castle=self.castle(castle))]
            case {"do": "ready"}:
                return [self.spoken("ready")]
            case {"do": "hold" | "release" as verb, "castle": castle}:
                return [self.spoken(verb, partner=self.who(self.partner(castle)), castle=self.castle(castle))]
            case {"do": "tick" | "untick" as verb, "tile": tile}:
                return [self.spoken(verb, room=self.tile(tile))]
            case {"do": "assign_ludwig", "tile": tile}:
                return [self.ludwigs(tile)]
            case {"do": "propose" | "propose_cell" | "accept" | "call_tiebreak", "castle": castle}:
                words = self.word(action, decision_about(self.scene, castle))
                return [self.named(castle, words)] if self.is_busy else [*words]
        return None

    def word(self, action: Plain, decision: Plain) -> list[Text]:
        """What can be said to a question before the partners of a castle: a word, who said it, what it is worth."""
        match action:
            case {"do": "propose", "choice": choice}:
                worth = Text(self.worth(choice), "dim") if decision["about"] != "bonus" else Text()
                return [self.choice(decision, choice), self.proposer(decision, choice), worth]
            case {"do": "propose_cell", "cell": cell}:
                return [self.choice(decision, cell), self.proposer(decision, cell)]
            case {"do": "propose_cell"}:
                is_other = any(proposal["seat"] == self.scene.seat for proposal in decision.get("proposals", []))
                key = "propose_other_cell" if is_other else "propose_cell"
                return [self.spoken(key, room=self.tile(decision["room"]))]
            case {"do": "accept", "revision": revision}:
                return [self.accepting(decision, revision)]
        return [Text(self.phrase("call_tiebreak"))]

    # With several things to decide, each says in one line which castle it is about.
    @property
    def is_busy(self) -> bool:
        return len(decisions_of(self.scene)) > 1 or bool(self.board["tiles"][self.scene.seat])

    def named(self, castle: int, words: list[Text]) -> Text:
        name = drawing.castle_name(self.board["castles"][castle])
        return Text(" ").join([Text(f"{name}:"), *(word for word in words if word)])

    def is_their_proposal(self, action: Plain) -> bool:
        """Whether the partner has proposed this already."""
        return action["do"] == "propose" and any(
            proposal["choice"] == action.get("choice")
            for decision in decisions_of(self.scene)
            for proposal in decision.get("proposals", [])
            if decision["castle"] == action.get("castle") and proposal["seat"] != self.scene.seat
        )

    def proposer(self, decision: Plain, choice: Any) -> Text:
        proposers = [each["seat"] for each in decision.get("proposals", []) if each["choice"] == choice]
        key = "proposed in words" if self.scene.plain else "proposed"
        return Text(self.phrase(key, who=self.who(proposers[0])), "bold green") if proposers else Text()

    def accepting(self, decision: Plain, revision: int) -> Text:
        wanted = next(each["choice"] for each in decision["proposals"] if each["revision"] == revision)
        partner = self.who(self.partner(decision["castle"]))
        return self.spoken("accept", partner=partner, choice=self.choice(decision, wanted))

    def ludwigs(self, tile: str) -> Text:
        """One of Ludwig's rooms goes to the castle shared with him, the other one to his other castle."""
        (other,) = (each for each in self.scene.hand["ludwig"] if each != tile)
        castles = [number for number, castle in enumerate(self.board["castles"]) if self.is_ludwigs(castle)]
        own, others = sorted(
            castles, key=lambda number: self.scene.seat not in self.board["castles"][number]["partners"]
        )
        return self.spoken(
            "assign_ludwig",
            room=self.tile(tile),
            castle=self.castle(own),
            other=self.tile(other),
            other_castle=self.castle(others),
        )

    def ludwigs_tiles(self) -> list[str]:
        """Ludwig's rooms that lie beside the viewer's castles."""
        beside = [self.board["castles"][number]["ludwig"] for number in own_castles(self.scene)]
        return [tile for tile in beside if tile]

    def is_ludwigs(self, castle: Plain) -> bool:
        return any(partner >= len(self.scene.people) for partner in castle["partners"])

    # Questions

    def choosing(self) -> Text:
        """The question for two rooms, and where the others go."""
        if self.board["turn"] == self.names.meta["turns_per_round"]:
            return Text(self.phrase("choose last"))
        left, right = own_castles(self.scene)
        neighbour = self.partner(left if self.board["round"] == 1 else right)
        return self.spoken("choose", neighbour=self.who(neighbour))

    def where_to_put(self, chosen: Plain) -> Text:
        castle = chosen["castle"]
        room = chosen.get("tile") or decision_about(self.scene, castle)["room"]
        asked = self.spoken("where", castle=self.castle(castle), room=self.tile(room))
        return asked.append(f"\n{self.worth(room)}", "dim")

    def choice(self, decision: Plain, choice: Any) -> Text:
        """One of the things a castle may take."""
        match decision["about"]:
            case "cell":
                return Text(self.place(decision["castle"], choice))
            case "bonus":
                bonus = self.language.BONUSES[choice]
                return Text.assemble(self.kind(choice), ": " if self.scene.plain else " ", bonus)
            case "attendant":
                return self.attendant(choice)
            case "card":
                return Text(self.names.piece(choice), "bold")
        return self.tile(choice)

    def question(self, decision: Plain) -> Text:
        """A question of a castle and who has said what to it."""
        about = self.names.label(f"deciding {decision['about']}")
        asked = self.spoken("question", castle=Text(self.castle(decision["castle"]), drawing.GOLD), about=about)
        said = (Text("   ").append_text(word) for word in self.said(decision))
        return Text("\n").join([Text.assemble(asked, style="bold"), *said])

    def said(self, decision: Plain) -> Iterator[Text]:
        for proposal in decision.get("proposals", []):
            choice, seat = self.choice(decision, proposal["choice"]), proposal["seat"]
            key = "your proposal" if seat == self.scene.seat else "their proposal"
            yield self.spoken(key, choice=choice, who=self.who(seat))
        for seat in decision.get("calls", []):
            yield self.spoken("their call", who=self.who(seat))
        if len(decision.get("proposals", [])) > 1:
            marker = self.board["castles"][decision["castle"]]["marker"]
            yield Text(self.phrase("marker", who=self.names.seat(marker)))

    def proposed_cells(self, castle: int) -> dict[drawing.Cell, str]:
        """Where the partner would like to have a room of this castle: what he points at, and what he proposes."""
        decisions = [each for each in decisions_of(self.scene) if each["castle"] == castle and each["about"] == "cell"]
        proposals = [proposal for decision in decisions for proposal in decision.get("proposals", [])]
        proposed = {(each["choice"][0], each["choice"][1]): self.who(each["seat"]) for each in proposals}
        return self.pointed_cells(castle) | proposed

    def pointed_cells(self, castle: int) -> dict[drawing.Cell, str]:
        pointed = [(seat, each) for seat, each in self.scene.pointed.items() if each.get("castle") == castle]
        return {(each["cell"][0], each["cell"][1]): self.who(seat) for seat, each in pointed if each.get("cell")}

    # News

    def news(self, news: Plain) -> Text | None:
        """A sentence about what happened."""
        match news:
            case {"news": "tiles_revealed", "tiles": tiles}:
                return Text("\n").join([Text(self.phrase("tiles_revealed")), *self.revealed(tiles)])
            case {"news": "choice_confirmed", "seat": seat} if seat == self.scene.seat and self.hand("chosen"):
                return self.spoken("choice_confirmed yours", rooms=self.tiles(self.hand("chosen")))
            case {"news": "castles_scored", "values": values}:
                castles = (f"{self.castle(number)} {value}" for number, value in enumerate(values))
                return self.spoken("castles_scored", values=", ".join(castles))
        key = self.key_of(news)
        return self.spoken(key, **self.parts(news)) if key in self.language.PHRASES else None

    # Some sentences depend on a detail, or on whether the viewer himself did it.
    def key_of(self, news: Plain) -> str:
        key = str(news["news"])
        details = {"hands_passed": "to", "bonus_earned": "tiles", "supply_reshuffled": "pile"}
        if key in details:
            return f"{key} {news[details[key]]}"
        yours = f"{key} yours"
        return yours if key == "hold_released" and news["seat"] == self.scene.seat else key

    def parts(self, news: Plain) -> dict[str, Part]:
        """The values of a piece of news as they are spoken of."""
        parts: dict[str, Part] = {name: str(value) for name, value in news.items() if name != "news"}
        if "seat" in news:
            is_viewer = news["seat"] == self.scene.seat
            parts |= {"who": Text(self.who(news["seat"]), "bold")}
            parts |= choose_verb_forms(self.language, is_viewer=is_viewer)
        if "castle" in news:
            parts["castle"] = Text(self.castle(news["castle"]), drawing.GOLD)
        if "cell" in news:
            parts["where"] = self.place(news["castle"], news["cell"])
        return parts | dict(self.piece_parts(news))

    def piece_parts(self, news: Plain) -> Iterator[tuple[str, Part]]:
        if "room" in news:
            yield "room", self.tile(news["room"])
        if "type" in news:
            yield "type", self.language.ROOMS[news["type"]]
            yield "bonus", self.language.BONUSES[news["type"]]
        if "attendant" in news:
            yield "attendant", self.attendant(news["attendant"])
        if "card" in news:
            yield "card", drawing.card(news["card"], self.names)
        if news["news"] == "ludwig_tiles_assigned":
            yield "rooms", self.tiles(news["tiles"])

    def revealed(self, tiles: list[list[str]]) -> Iterator[Text]:
        for seat, own in enumerate(tiles):
            yield Text.assemble("    ", (f"{self.who(seat)}: ", "bold"), self.tiles(own))

    def tiles(self, names: list[str]) -> Text:
        return Text(", " if self.scene.plain else " ").join(map(self.tile, names))

    def hand(self, part: str) -> list[str]:
        return self.by_type((self.scene.hand or {}).get(part, []))

    def by_type(self, tiles: list[str]) -> list[str]:
        order = list(self.names.types)
        return sorted(tiles, key=lambda tile: order.index(self.names.pieces[tile]["type"]))

    def help(self) -> RenderableType:
        """The game in short, and what the third room of each type brings."""
        bonuses = Table.grid(padding=(0, 2))
        for name in self.names.types:
            bonuses.add_row("", drawing.kind(name, self.names), self.language.BONUSES[name])
        return Group(*(Padding(paragraph, (0, 0, 1, 0)) for paragraph in self.language.HELP), bonuses, Text())


# What concerns a viewer


def own_castles(scene: Scene) -> list[int]:
    """The left castle of the viewer, then his right one; a spectator looks at all of them."""
    castles = list(enumerate(scene.board["castles"]))
    if scene.seat is None:
        return [number for number, _ in castles]
    own = [(number, castle["partners"]) for number, castle in castles if scene.seat in castle["partners"]]
    return [number for number, _ in sorted(own, key=lambda each: each[1][0] != scene.seat)]


def decisions_of(scene: Scene) -> list[Plain]:
    """The questions that lie before the viewer: open ones beside his castles, secret ones in his hand."""
    if scene.seat is None:
        return []
    beside = [scene.board["castles"][number]["decision"] for number in own_castles(scene)]
    return [*filter(None, beside), *(scene.hand or {}).get("decisions", [])]


def decision_about(scene: Scene, castle: int) -> Plain:
    return next(decision for decision in decisions_of(scene) if decision["castle"] == castle)
