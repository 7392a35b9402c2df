"""Whole commands (RULES.md, 18) as the steps that our tables take (NM-STEP-7)."""

from palatine_server.games.noblemen import actions as do


def steps_of(command, args):
    """The steps of a whole command."""
    return COMMANDS[command](args)


def kinds_in(args):
    return [kind for kind, count in args["tiles"].items() for _ in range(count)]


def steps_of_levy(first, of):
    return lambda args: [first, *[do.Spend()] * args.get("bribes", 0), do.Done(of)]


def steps_of_ball(args):
    cards = map(do.SpendCard, args.get("cards", []))
    return [*[do.Spend()] * args.get("bribes", 0), *cards, do.Done("spend_prestige")]


def lays(tiles):
    return [do.Lay(tile["kind"], (tile["x"], tile["y"]), tile["corner"]) for tile in tiles]


def steps_of_building(args):
    steps = [do.Build(args["kind"], args.get("folly")), do.Site((args["x"], args["y"]))]
    if knight := args.get("knight"):
        if source := knight.get("source"):
            steps.append(do.LiftKnight(source["player"], (source["x"], source["y"])))
        steps.append(do.PlaceKnight(knight["player"], (knight["x"], knight["y"])))
    return [*steps, do.Done("build")]


def steps_of_card(args):
    card, play = args["card"], do.Play(args["card"])
    match card:
        case "inheritance":
            return [play, do.Site((args["x"], args["y"])), do.Done(card)]
        case "vicars_favour":
            return [play, *map(do.Give, kinds_in(args)), do.Done(card)]
        case "brilliant_move":
            return [play, *lays(args["tiles"]), do.Done(card)]
    return [play]


COMMANDS = {
    "choose_tiles": lambda args: [*map(do.Take, kinds_in(args)), do.Done("choose_tiles")],
    "keep_card": lambda args: [do.UseIntrigue() if args.get("intrigue") else do.Keep(args["index"])],
    "trade": lambda args: [*map(do.Give, args["give"]), do.Want(args["want"])],
    "expand": lambda args: [*lays(args["tiles"]), do.Done("expand")],
    "build": steps_of_building,
    "bribe": lambda args: [*[do.Buy()] * args["n"], do.Done("bribe")],
    "tax": steps_of_levy(do.Tax(), "tax"),
    "land": steps_of_levy(do.Land(), "land"),
    "donate": lambda args: [*map(do.Donate, kinds_in(args)), do.Done("donate")],
    "give_tiles": lambda args: [*map(do.Give, args["kinds"]), do.Done("give_tiles")],
    "spend_prestige": steps_of_ball,
    "play_card": steps_of_card,
    "choose_title": lambda args: [do.ChooseTitle(args["title"])],
    "idle": lambda args: [do.Idle()],
    "end_turn": lambda args: [do.EndTurn()],
}
