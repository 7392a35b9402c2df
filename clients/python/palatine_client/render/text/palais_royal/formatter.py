"""Pieces, actions and news of Palais Royal as coloured text for one viewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ...games.palais_royal import derived_values, theme
from ...games.palais_royal.names import PalaisRoyalNames
from ...terminal import palais_royal as drawing
from ...terminal.palais_royal import badges
from ..phrase_format import Part, choose_verb_forms, fill_phrase
from ..render_context import Plain, RenderContext

PHASE_OF = {"reinforce": 1, "move": 2, "take_gold": 3, "add_seal_servant": 3, "recruit": 4, "draw": 5}
SPECIAL = {0: "none", 1: "one"}  # numbers that have a special phrase


class PalaisRoyalFormatter:
    """Formats the phrases of the game for one viewer."""

    def __init__(self, context: RenderContext) -> None:
        self.context = context
        self.board = derived_values.add_own_nobles(context.board, context.seat, context.hand)
        self.names = PalaisRoyalNames(context.catalog, context.lang, context.names, players=len(context.people))
        self.language = self.names.language

    def render_phrase(self, key: str, **parts: Part) -> Text:
        """Render a phrase whose parts keep their colours."""
        return fill_phrase(self.language.PHRASES[key], parts)

    def format_count(self, key: str, count: int, **parts: Part) -> str:
        """Return a number with its noun, with special phrases for one and none."""
        special = f"{key} {SPECIAL.get(count, '')}"
        return self.render_phrase(special if special in self.language.PHRASES else key, count=str(count), **parts).plain

    # Pieces

    def render_noble(self, name: str) -> Text:
        return Text(self.names.name_piece(name), f"bold {theme.VIOLET}")

    def render_card(self, kind: str) -> Text:
        return Text(self.names.name_piece(kind), theme.TITLE)

    def render_cards(self, kinds: list[str]) -> Part:
        """Render cards by their kinds."""
        if not kinds:
            return self.render_phrase("nothing")
        times = Counter(kinds).items()
        return Text(", ").join(
            self.render_card(kind).append(f" ×{number}" if number > 1 else "") for kind, number in times
        )

    def describe_card(self, kind: str) -> str:
        """Return the effect of a card in words that fit inside a sentence."""
        return self.names.describe_piece(kind)

    def render_card_row(self, kind: str, count: int = 1) -> list[RenderableType]:
        """Render a card with its price, the time at which a player may play it, and its effect."""
        piece = self.names.pieces[kind]
        price = self.render_phrase("gold", count=str(piece["price"])) if piece["price"] else self.render_phrase("free")
        timing = Text(self.language.TIMING[piece["timing"]], "dim")
        times = Text(f" ×{count}" if count > 1 else "")
        return [
            Text.assemble(self.render_card(kind), times),
            Text.assemble(price, style=theme.GOLD),
            timing,
            self.describe_card(kind),
        ]

    def describe_benefit(self, name: str) -> str:
        """Return the benefit of a noble in words."""
        noble = self.names.pieces[name]
        if noble["benefit"] not in self.language.BENEFITS:
            return ""
        amount = noble["amount"] if noble["benefit"] != "servants" else self.format_count("servants", noble["amount"])
        return str(self.language.BENEFITS[noble["benefit"]].format(amount=amount))

    def render_offered_noble(self, space: str) -> Text:
        """Render a noble with its price, points and benefit."""
        name = self.board["park"][space]
        noble, gold = self.names.pieces[name], derived_values.find_price(self.board, space, self.names)
        price = self.render_price(gold, noble["turquoise"], noble["violet"])
        gain = ", ".join(filter(None, [self.format_count("points", noble["points"]), self.describe_benefit(name)]))
        return Text.assemble(self.render_noble(name), f" ({space}): ", price, f", {gain}")

    def render_price(self, gold: int, turquoise: int, violet: int) -> Text:
        """Render the price of a noble."""
        if self.context.plain:
            seals = self.render_seals(turquoise, violet) if turquoise or violet else Text()
            return Text(", ").join(filter(None, [self.render_phrase("gold", count=str(gold)), seals]))
        return Text.assemble((f"{gold}{theme.COIN} ", theme.GOLD), self.render_seals(turquoise, violet))

    def render_seals(self, turquoise: int, violet: int) -> Text:
        """Render seals one by one, or in words."""
        if not self.context.plain:
            return badges.render_seals(turquoise, violet)
        counts = {"turquoise": turquoise, "violet": violet}
        return Text(", ").join(Text(self.format_count(colour, count)) for colour, count in counts.items() if count)

    def render_wild_seals(self, seals: list[int]) -> Text:
        """Render the used seals of a privilege."""
        return (
            self.render_phrase("with wild", seals=self.render_seals(*seals))
            if any(seals)
            else self.render_phrase("without wild")
        )

    def render_source_row(self, name: str) -> list[RenderableType]:
        """Render the supply or a room with the number of the viewer's servants."""
        if name == "supply":
            own = self.board["players"][self.context.seat]["supply"]
            return [Text(self.names.name_piece(name), "bold"), self.render_phrase("in supply", count=str(own))]
        own = self.board["rooms"][name][self.context.seat]
        return [Text(self.names.name_piece(name), "bold"), self.render_phrase("your servants", count=str(own))]

    def render_room_row(self, name: str) -> list[RenderableType]:
        """Render a room and its use."""
        return [Text(self.names.name_piece(name), "bold"), Text(self.names.describe_piece(name), "dim")]

    # Actions

    def render_action(self, action: Plain) -> Text | None:
        """Render the chosen fields of an action."""
        key, parts = self.choose_phrase(action)
        if key not in self.language.PHRASES:
            return None
        text = self.render_phrase(key, **parts)
        for more in self.list_additions(action):
            text = Text.assemble(text, ", ", more)
        return text

    def format_remark(self, action: Plain) -> str:
        """Return a remark on an action: the actions that it closes, or the use of its room."""
        return self.format_closing(action) or self.format_use(action)

    def choose_phrase(self, action: Plain) -> tuple[str, dict[str, Part]]:
        """Return the phrase for an action, and the parts that fill it."""
        match action:
            case {"do": "place", "room": room}:
                return "place", {"into": self.language.INTO[room]}
            case {"do": "place_rest"}:
                return "place_rest", {"rooms": self.list_quick_rooms()}
            case {"do": "advance", "to": phase}:
                return "advance to", {"phase": self.names.name_piece(phase)}
            case {"do": "take_gold"}:
                return "take_gold", {
                    "gold": Text(str(derived_values.count_gold_left(self.board, self.names)), theme.TITLE)
                }
            case {"do": "recruit", "space": space}:
                return "recruit noble", {"noble": self.render_offered_noble(space)}
            case {"do": "draw", "count": count}:
                return "draw count", {"count": self.format_count("cards", count)}
            case {"do": "play_privilege", "kind": kind}:
                return "play_privilege kind", {"card": self.render_whole_card(kind)}
        return self.choose_servant_phrase(action)

    def choose_servant_phrase(self, action: Plain) -> tuple[str, dict[str, Part]]:
        """Return the phrase for an action that sends a servant; it depends on whether source and target are chosen."""
        into, source = self.language.INTO, self.language.FROM
        match action:
            case {"do": "reinforce", "source": room}:
                return "reinforce from", {"from": source[room]}
            case {"do": "move", "source": room, "to": to}:
                return "move to", {"from": source[room], "into": into[to]}
            case {"do": "move", "source": room}:
                return "move from", {"from": source[room]}
            case {"do": "add_seal_servant", "room": room, "source": other}:
                return "add_seal_servant from", {"into": into[room], "from": source[other]}
            case {"do": "add_seal_servant", "room": room}:
                return "add_seal_servant room", {"into": into[room]}
        return str(action["do"]), {}

    def list_additions(self, action: Plain) -> Iterator[Text]:
        """Return the additions to a recruitment that the player can choose."""
        if self.board["turn"]["wild_seals"] and "wild" in action:
            yield self.render_wild_seals(action["wild"])
        if "border_from" in action and self.is_at_border(action["space"]):
            yield self.render_phrase("border", **{"from": self.language.FROM[action["border_from"]]})

    def is_at_border(self, space: str) -> bool:
        return any(space in row["spaces"] for row in self.names.park["border_rows"])

    def format_closing(self, action: Plain) -> str:
        """Return a remark that names the actions of the turn that this one closes."""
        now, then = self.board["turn"]["phase"], PHASE_OF.get(action["do"], 0)
        first = max(1, derived_values.ORDER.index(now) - 1)
        if then <= first:
            return ""
        key = "closes" if then - first == 1 else "closes many"
        return self.render_phrase(key, first=str(first), last=str(then - 1)).plain

    def format_use(self, action: Plain) -> str:
        """Return the use of the room to which a player sends a servant before the first turn."""
        return self.names.describe_piece(action["room"]) if action["do"] == "place" and "room" in action else ""

    def list_quick_rooms(self) -> str:
        """Return the rooms to which the rest of the free servants would go."""
        rooms = self.names.setup["time_out_rooms"][: self.board["turn"]["to_place"]]
        return ", ".join(self.language.INTO[room] for room in rooms)

    def render_whole_card(self, kind: str) -> Text:
        card, price, _, effect = self.render_card_row(kind)
        return Text.assemble(card, " (", price, f"): {effect}")  # type: ignore[arg-type]

    # Questions

    def render_question(self, field: str, chosen: Plain) -> Text | None:
        """Render the question for one field."""
        match field, chosen:
            case "source", {"do": "move"}:
                return self.render_phrase("ask mover", moves=drawing.format_moves(self.board, self.names))
            case "to", {"do": "move", "source": source}:
                return self.render_phrase("ask to", **{"from": self.language.FROM[source]})
            case "to", {"do": "advance"}:
                return self.render_phrase("ask action")
            case "space", _:
                return self.render_noble_question()
        return self.render_phrase(f"ask {field}") if f"ask {field}" in self.language.PHRASES else None

    def render_noble_question(self) -> Text:
        board, seat, left = self.board, self.context.seat, self.board["turn"]["wild_seals"]
        seals = self.render_seals(board["rooms"]["king"][seat], board["rooms"]["madame"][seat])
        gold = Text(str(board["players"][seat]["gold"]), theme.GOLD)
        wild = self.render_phrase("and wild", count=str(left)) if left else ""
        none = self.render_phrase("nothing") if self.context.plain else "–"
        return self.render_phrase("ask space", gold=gold, seals=seals or none, wild=wild)

    # News

    def render_news(self, news: Plain) -> Text | None:
        """Render a piece of news as a sentence."""
        key = self.find_key(news)
        return self.render_phrase(key, **self.collect_parts(news)) if key in self.language.PHRASES else None

    # Some sentences depend on a detail, or on whether the viewer is the actor.
    def find_key(self, news: Plain) -> str:
        key = str(news["news"])
        if key == "final_round_began":
            return f"{key} {news['reason']}"
        return f"{key} yours" if key == "turn_began" and news["seat"] == self.context.seat else key

    def collect_parts(self, news: Plain) -> dict[str, Part]:
        """Collect the parts of a sentence about a piece of news."""
        parts: dict[str, Part] = {name: str(value) for name, value in news.items() if name != "news"}
        if "seat" in news:
            is_viewer = news["seat"] == self.context.seat
            parts |= {"who": Text(self.context.name_subject(news["seat"]), "bold")}
            parts |= choose_verb_forms(self.language, is_viewer=is_viewer)
        return parts | dict(self.collect_places(news)) | dict(self.collect_pieces(news))

    def collect_places(self, news: Plain) -> Iterator[tuple[str, Part]]:
        """Collect the rooms that a servant left and entered, and the action."""
        if "source" in news:
            yield "from", self.language.FROM[news["source"]]
        for name in {"room", "to"} & news.keys():
            yield "into", self.language.INTO[news[name]]
        if "phase" in news:
            yield "phase", self.names.name_piece(news["phase"])

    def collect_pieces(self, news: Plain) -> Iterator[tuple[str, Part]]:
        """Collect nobles, cards and numbers."""
        match news:
            case {"noble": noble}:
                yield "noble", self.render_noble(noble)
                yield "points", self.format_count("points", self.names.pieces[noble]["points"])
                yield "benefit", f", {self.describe_benefit(noble)}" if self.describe_benefit(noble) else ""
            case {"kind": kind}:
                yield from (("card", self.render_card(kind)), ("effect", self.describe_card(kind)))
            case {"kinds": kinds}:
                yield "kinds", self.render_cards(kinds)
            case {"totals": totals}:
                yield (
                    "totals",
                    ", ".join(f"{self.context.name_subject(seat)} {total}" for seat, total in enumerate(totals)),
                )
            case {"servants": servants}:
                yield "servants", self.format_count("servants", servants)
        yield from self.collect_numbers(news)

    def collect_numbers(self, news: Plain) -> Iterator[tuple[str, Part]]:
        """Collect the number of cards, and the discarded ones."""
        for name in {"count", "cards"} & news.keys():
            yield "cards", self.format_count("cards", news[name])
        if "discarded" in news:
            yield "discarded", self.render_cards(news["discarded"])

    # The viewer's hand, and help

    def render_hand(self) -> Iterator[RenderableType]:
        """Render the cards in hand, those just drawn, and secret nobles."""
        for part, title in (("cards", "hand"), ("pending", "pending")):
            if kinds := (self.context.hand or {}).get(part, []):
                yield Group(
                    Text.assemble(self.render_phrase(title), style="bold"),
                    Padding(self.render_card_table(kinds), (0, 0, 1, 2)),
                )
        if nobles := self.render_secret_nobles():
            yield Group(Text.assemble(self.render_phrase("secret nobles"), style="bold"), Padding(nobles, (0, 0, 1, 2)))

    def render_secret_nobles(self) -> Text:
        """Render the nobles that only the viewer sees, with their points."""
        nobles = (self.context.hand or {}).get("nobles", [])
        points = {noble: self.format_count("points", self.names.pieces[noble]["points"]) for noble in nobles}
        return Text(", ").join(Text.assemble(self.render_noble(noble), f" ({points[noble]})") for noble in nobles)

    def render_card_table(self, kinds: list[str]) -> Table:
        table = Table.grid(padding=(0, 2))
        for kind, number in Counter(kinds).items():
            table.add_row(*self.render_card_row(kind, number))
        return table

    def render_help(self) -> RenderableType:
        """Render a short description of the game, and the use of each room."""
        rooms = Table.grid(padding=(0, 2))
        for name in self.list_rooms():
            rooms.add_row("", *self.render_room_row(name))
        endings = [Padding(ending, (1, 0, 0, 0)) for ending in self.list_endings()]
        meta = self.context.catalog["meta"]
        notice = Text(str(meta.get(f"notice_{self.context.lang}") or meta.get("notice_en", "")), "dim")
        return Group(
            *(Padding(paragraph, (0, 0, 1, 0)) for paragraph in self.language.HELP),
            rooms,
            *endings,
            Text(),
            notice,
            Text(),
        )

    def list_rooms(self) -> list[str]:
        """Return the rooms as the palace is laid out; before the game, as the catalog names them."""
        if self.board:
            return [name for row in self.board["layout"] for name in row]
        return [room["id"] for room in self.context.catalog["rooms"]]

    def list_endings(self) -> Iterator[str]:
        """Return the options of this table that end a game earlier than the printed rules do."""
        if not self.board:
            return
        limits = {name: self.board["options"][name] for name in ("stall_rounds", "max_rounds")}
        for name, rounds in limits.items():
            if rounds:
                yield self.render_phrase(f"ending {name.replace('_', ' ')}", rounds=str(rounds)).plain
        if not any(limits.values()):
            yield self.render_phrase("ending as printed").plain
