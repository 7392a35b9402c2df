"""Pieces, places, decisions and news of Between Two Castles as coloured text for one viewer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ...games.between_two_castles.names import CastleNames, name_castle
from ...games.between_two_castles.theme import DECORATIONS, GOLD
from ...terminal import between_two_castles as drawing
from ...terminal.between_two_castles.castle import Cell
from ..phrase_format import Part, choose_verb_forms, fill_phrase
from ..render_context import Plain, RenderContext


class CastleFormatter:
    """Formats the phrases of the game for one viewer."""

    def __init__(self, context: RenderContext) -> None:
        self.context, self.board = context, context.board
        self.names = CastleNames(context.catalog, context.lang, context.names, players=len(context.people))
        self.language = self.names.language

    def format_phrase(self, key: str, **values: object) -> str:
        return str(self.language.PHRASES[key].format(**values))

    def render_phrase(self, key: str, **parts: Part) -> Text:
        """Render a phrase whose parts keep their colours."""
        return fill_phrase(self.language.PHRASES[key], parts)

    # Players

    def name_subject(self, seat: int) -> str:
        return self.context.name_subject(seat) if seat < len(self.context.people) else self.names.name_player(seat)

    def find_partner(self, number: int) -> int:
        """Find the other partner of one of the viewer's castles."""
        one, other = self.board["castles"][number]["partners"]
        return int(other if one == self.context.seat else one)

    # Pieces

    def name_castle(self, number: int) -> str:
        return self.names.name_piece(self.board["castles"][number]["token"])

    def render_tile(self, name: str) -> Text:
        return Text(self.describe_room(name)) if self.context.plain else drawing.render_tile(name, self.names)

    def describe_room(self, name: str) -> str:
        """Describe a room in words, with its type."""
        piece = self.names.pieces[name]
        kind, decoration = self.language.ROOMS[piece["type"]], self.language.WITH.get(piece["decoration"])
        words = self.format_phrase("room with", type=kind, decoration=decoration) if decoration else kind
        return f"{self.names.name_entry(piece)} ({words})"

    def render_kind(self, name: str) -> Text:
        return Text(self.language.ROOMS[name]) if self.context.plain else drawing.render_kind(name, self.names)

    def render_attendant(self, name: str) -> Text:
        return Text(self.names.name_piece(name)) if self.context.plain else drawing.render_attendant(name, self.names)

    def render_tile_row(self, name: str) -> list[RenderableType]:
        if self.context.plain:
            return [self.render_tile(name), Text(self.describe_worth(name))]
        sign = DECORATIONS.get(self.names.pieces[name]["decoration"], " ")
        return [self.render_tile(name), sign, Text(self.describe_worth(name))]

    def describe_worth(self, name: str) -> str:
        """Return the scoring of a piece in words."""
        piece, language = self.names.pieces[name], self.language
        if "number" in piece:
            return self.names.describe_card(name)
        wanted = str(piece.get("target") or piece["decoration"])
        words = {"target": language.ROOMS.get(wanted, wanted), "decoration": language.WITH.get(wanted, wanted)}
        sentence = language.SCORES[piece.get("pattern", "attendant")]
        return str(sentence.format(points=language.POINTS[piece["points"]], **words))

    # Places

    def describe_place(self, number: int, cell: list[int]) -> str:
        """Describe a cell by the room below it or the room beside it."""
        rooms = {(x, y): name for name, x, y in self.board["castles"][number]["rooms"]}
        rooms |= dict.fromkeys([(0, 0), (1, 0)], self.board["castles"][number]["throne"])
        (x, y) = cell
        neighbours = {"above": (x, y - 1), "right": (x - 1, y), "left": (x + 1, y), "below": (x, y + 1)}
        for word in ("above", "right", "left", "below") if y > 0 else ("right", "left", "below", "above"):
            if neighbours[word] in rooms:
                where = self.format_phrase(word, room=self.names.name_piece(rooms[neighbours[word]]))
                return self.format_phrase("at", where=where, x=x, y=y) if self.context.plain else where
        return f"({x}, {y})"

    # Actions

    def render_action(self, action: Plain) -> list[RenderableType] | None:
        """Render the chosen fields of an action, in columns."""
        match action:
            case {"do": "place", "tile": tile, "castle": castle, **rest}:
                where = f", {self.describe_place(castle, rest['cell'])}" if "cell" in rest else ""
                return [
                    self.render_phrase("place", room=self.render_tile(tile), castle=self.name_castle(castle)).append(
                        where
                    )
                ]
            case {"do": "take_back", "castle": castle}:
                laid = self.board["castles"][castle]["laid"][-1][1]
                return [self.render_phrase("take_back", room=self.render_tile(laid), castle=self.name_castle(castle))]
            case {"do": "ready"}:
                return [self.render_phrase("ready")]
            case {"do": "hold" | "release" as verb, "castle": castle}:
                return [
                    self.render_phrase(
                        verb, partner=self.name_subject(self.find_partner(castle)), castle=self.name_castle(castle)
                    )
                ]
            case {"do": "tick" | "untick" as verb, "tile": tile}:
                return [self.render_phrase(verb, room=self.render_tile(tile))]
            case {"do": "assign_ludwig", "tile": tile}:
                return [self.render_ludwigs_tiles(tile)]
            case {"do": "propose" | "propose_cell" | "accept" | "call_tiebreak", "castle": castle}:
                words = self.render_word(action, find_decision(self.context, castle))
                return [self.add_castle_name(castle, words)] if self.is_busy else [*words]
        return None

    def render_word(self, action: Plain, decision: Plain) -> list[Text]:
        """Render an answer to a decision of a castle: the answer, its author and its worth."""
        match action:
            case {"do": "propose", "choice": choice}:
                worth = Text(self.describe_worth(choice), "dim") if decision["about"] != "bonus" else Text()
                return [self.render_choice(decision, choice), self.find_proposer(decision, choice), worth]
            case {"do": "propose_cell", "cell": cell}:
                return [self.render_choice(decision, cell), self.find_proposer(decision, cell)]
            case {"do": "propose_cell"}:
                is_other = any(proposal["seat"] == self.context.seat for proposal in decision.get("proposals", []))
                key = "propose_other_cell" if is_other else "propose_cell"
                return [self.render_phrase(key, room=self.render_tile(decision["room"]))]
            case {"do": "accept", "revision": revision}:
                return [self.render_acceptance(decision, revision)]
        return [Text(self.format_phrase("call_tiebreak"))]

    # If there are several decisions, each one names its castle.
    @property
    def is_busy(self) -> bool:
        return len(list_decisions(self.context)) > 1 or bool(self.board["tiles"][self.context.seat])

    def add_castle_name(self, castle: int, words: list[Text]) -> Text:
        name = name_castle(self.board["castles"][castle])
        return Text(" ").join([Text(f"{name}:"), *(word for word in words if word)])

    def is_their_proposal(self, action: Plain) -> bool:
        """Return whether the partner has already made this proposal."""
        return action["do"] == "propose" and any(
            proposal["choice"] == action.get("choice")
            for decision in list_decisions(self.context)
            for proposal in decision.get("proposals", [])
            if decision["castle"] == action.get("castle") and proposal["seat"] != self.context.seat
        )

    def find_proposer(self, decision: Plain, choice: Any) -> Text:
        proposers = [each["seat"] for each in decision.get("proposals", []) if each["choice"] == choice]
        key = "proposed in words" if self.context.plain else "proposed"
        return Text(self.format_phrase(key, who=self.name_subject(proposers[0])), "bold green") if proposers else Text()

    def render_acceptance(self, decision: Plain, revision: int) -> Text:
        wanted = next(each["choice"] for each in decision["proposals"] if each["revision"] == revision)
        partner = self.name_subject(self.find_partner(decision["castle"]))
        return self.render_phrase("accept", partner=partner, choice=self.render_choice(decision, wanted))

    def render_ludwigs_tiles(self, tile: str) -> Text:
        """Render the room of Ludwig's for the viewer's castle, and the one for Ludwig's other castle."""
        (other,) = (each for each in self.context.hand["ludwig"] if each != tile)
        castles = [number for number, castle in enumerate(self.board["castles"]) if self.is_ludwigs(castle)]
        own, others = sorted(
            castles, key=lambda number: self.context.seat not in self.board["castles"][number]["partners"]
        )
        return self.render_phrase(
            "assign_ludwig",
            room=self.render_tile(tile),
            castle=self.name_castle(own),
            other=self.render_tile(other),
            other_castle=self.name_castle(others),
        )

    def list_ludwigs_tiles(self) -> list[str]:
        """List Ludwig's rooms beside the viewer's castles."""
        beside = [self.board["castles"][number]["ludwig"] for number in list_own_castles(self.context)]
        return [tile for tile in beside if tile]

    def is_ludwigs(self, castle: Plain) -> bool:
        return any(partner >= len(self.context.people) for partner in castle["partners"])

    # Questions

    def render_choose_question(self) -> Text:
        """Render the question for two rooms, and the player to whom the other rooms go."""
        if self.board["turn"] == self.names.meta["turns_per_round"]:
            return Text(self.format_phrase("choose last"))
        left, right = list_own_castles(self.context)
        neighbour = self.find_partner(left if self.board["round"] == 1 else right)
        return self.render_phrase("choose", neighbour=self.name_subject(neighbour))

    def render_place_question(self, chosen: Plain) -> Text:
        castle = chosen["castle"]
        room = chosen.get("tile") or find_decision(self.context, castle)["room"]
        asked = self.render_phrase("where", castle=self.name_castle(castle), room=self.render_tile(room))
        return asked.append(f"\n{self.describe_worth(room)}", "dim")

    def render_choice(self, decision: Plain, choice: Any) -> Text:
        """Render an option of a decision."""
        match decision["about"]:
            case "cell":
                return Text(self.describe_place(decision["castle"], choice))
            case "bonus":
                bonus = self.language.BONUSES[choice]
                return Text.assemble(self.render_kind(choice), ": " if self.context.plain else " ", bonus)
            case "attendant":
                return self.render_attendant(choice)
            case "card":
                return Text(self.names.name_piece(choice), "bold")
        return self.render_tile(choice)

    def render_decision(self, decision: Plain) -> Text:
        """Render a decision of a castle with the partners' proposals."""
        about = self.names.label(f"deciding {decision['about']}")
        asked = self.render_phrase("question", castle=Text(self.name_castle(decision["castle"]), GOLD), about=about)
        said = (Text("   ").append_text(word) for word in self.render_statements(decision))
        return Text("\n").join([Text.assemble(asked, style="bold"), *said])

    def render_statements(self, decision: Plain) -> Iterator[Text]:
        for proposal in decision.get("proposals", []):
            choice, seat = self.render_choice(decision, proposal["choice"]), proposal["seat"]
            key = "your proposal" if seat == self.context.seat else "their proposal"
            yield self.render_phrase(key, choice=choice, who=self.name_subject(seat))
        for seat in decision.get("calls", []):
            yield self.render_phrase("their call", who=self.name_subject(seat))
        if len(decision.get("proposals", [])) > 1:
            marker = self.board["castles"][decision["castle"]]["marker"]
            yield Text(self.format_phrase("marker", who=self.names.name_player(marker)))

    def index_proposed_cells(self, castle: int) -> dict[Cell, str]:
        """Index the cells of a castle that the partner points at or proposes."""
        decisions = [
            each for each in list_decisions(self.context) if each["castle"] == castle and each["about"] == "cell"
        ]
        proposals = [proposal for decision in decisions for proposal in decision.get("proposals", [])]
        proposed = {(each["choice"][0], each["choice"][1]): self.name_subject(each["seat"]) for each in proposals}
        return self.index_pointed_cells(castle) | proposed

    def index_pointed_cells(self, castle: int) -> dict[Cell, str]:
        pointed = [(seat, each) for seat, each in self.context.pointed.items() if each.get("castle") == castle]
        return {
            (each["cell"][0], each["cell"][1]): self.name_subject(seat) for seat, each in pointed if each.get("cell")
        }

    # News

    def render_news(self, news: Plain) -> Text | None:
        """Render a piece of news as a sentence."""
        match news:
            case {"news": "tiles_revealed", "tiles": tiles}:
                return Text("\n").join([Text(self.format_phrase("tiles_revealed")), *self.render_revealed(tiles)])
            case {"news": "choice_confirmed", "seat": seat} if seat == self.context.seat and self.list_hand("chosen"):
                return self.render_phrase("choice_confirmed yours", rooms=self.render_tiles(self.list_hand("chosen")))
            case {"news": "castles_scored", "values": values}:
                castles = (f"{self.name_castle(number)} {value}" for number, value in enumerate(values))
                return self.render_phrase("castles_scored", values=", ".join(castles))
        key = self.find_key(news)
        return self.render_phrase(key, **self.collect_parts(news)) if key in self.language.PHRASES else None

    # Some sentences depend on a detail, or on whether the viewer is the actor.
    def find_key(self, news: Plain) -> str:
        key = str(news["news"])
        details = {"hands_passed": "to", "bonus_earned": "tiles", "supply_reshuffled": "pile"}
        if key in details:
            return f"{key} {news[details[key]]}"
        if key == "proposal_made" and news.get("about"):
            return f"{key} of"
        yours = f"{key} yours"
        return yours if key == "hold_released" and news["seat"] == self.context.seat else key

    def collect_parts(self, news: Plain) -> dict[str, Part]:
        """Collect the parts of a sentence about a piece of news."""
        parts: dict[str, Part] = {name: str(value) for name, value in news.items() if name != "news"}
        if "seat" in news:
            is_viewer = news["seat"] == self.context.seat
            parts |= {"who": Text(self.name_subject(news["seat"]), "bold")}
            parts |= choose_verb_forms(self.language, is_viewer=is_viewer)
        if "castle" in news:
            parts["castle"] = Text(self.name_castle(news["castle"]), GOLD)
        if "cell" in news:
            parts["where"] = self.describe_place(news["castle"], news["cell"])
        return parts | dict(self.collect_piece_parts(news))

    def collect_piece_parts(self, news: Plain) -> Iterator[tuple[str, Part]]:
        if "room" in news:
            yield "room", self.render_tile(news["room"])
        if "type" in news:
            yield "type", self.language.ROOMS[news["type"]]
            yield "bonus", self.language.BONUSES[news["type"]]
        if "attendant" in news:
            yield "attendant", self.render_attendant(news["attendant"])
        if news.get("about") and "choice" in news:
            yield "choice", self.render_choice(news, news["choice"])
        if "card" in news:
            yield "card", drawing.render_card(news["card"], self.names)
        if news["news"] == "ludwig_tiles_assigned":
            yield "rooms", self.render_tiles(news["tiles"])

    def render_revealed(self, tiles: list[list[str]]) -> Iterator[Text]:
        for seat, own in enumerate(tiles):
            yield Text.assemble("    ", (f"{self.name_subject(seat)}: ", "bold"), self.render_tiles(own))

    def render_tiles(self, names: list[str]) -> Text:
        return Text(", " if self.context.plain else " ").join(map(self.render_tile, names))

    def list_hand(self, part: str) -> list[str]:
        return self.sort_by_type((self.context.hand or {}).get(part, []))

    def sort_by_type(self, tiles: list[str]) -> list[str]:
        order = list(self.names.types)
        return sorted(tiles, key=lambda tile: order.index(self.names.pieces[tile]["type"]))

    def render_help(self) -> RenderableType:
        """Render a short description of the game, and the bonus for the third room of each type."""
        bonuses = Table.grid(padding=(0, 2))
        for name in self.names.types:
            bonuses.add_row("", drawing.render_kind(name, self.names), self.language.BONUSES[name])
        return Group(*(Padding(paragraph, (0, 0, 1, 0)) for paragraph in self.language.HELP), bonuses, Text())


# The viewer's castles and decisions


def list_own_castles(context: RenderContext) -> list[int]:
    """List the viewer's left castle, then the right one; for a spectator list all castles."""
    castles = list(enumerate(context.board["castles"]))
    if context.seat is None:
        return [number for number, _ in castles]
    own = [(number, castle["partners"]) for number, castle in castles if context.seat in castle["partners"]]
    return [number for number, _ in sorted(own, key=lambda each: each[1][0] != context.seat)]


def list_decisions(context: RenderContext) -> list[Plain]:
    """List the viewer's decisions: open ones of their castles and secret ones in their hand."""
    if context.seat is None:
        return []
    beside = [context.board["castles"][number]["decision"] for number in list_own_castles(context)]
    return [*filter(None, beside), *(context.hand or {}).get("decisions", [])]


def find_decision(context: RenderContext, castle: int) -> Plain:
    return next(decision for decision in list_decisions(context) if decision["castle"] == castle)
