"""The README for client authors: every message in it is one, every digest is true, every piece of code runs.

`python tests/protocol/exchange.py` records the worked exchange anew.
"""

import itertools
import json
import re
import subprocess
from functools import reduce
from typing import Any

import msgspec
import pytest

from palatine_protocol import digest, offers, patch
from palatine_protocol.codec import JSON, for_client, for_server
from palatine_protocol.examples import EXAMPLES, QUESTION, TABLE
from palatine_protocol.messages import Act, Bye, Explained, Offer, Refused, Request, Snapshot, Update
from palatine_protocol.spec import README, REQUESTS, wire_name
from palatine_server.games.between_two_castles.board import Decision, Proposal
from palatine_server.games.registry import GAMES
from palatine_server.web.cors import REQUEST_HEADERS
from palatine_server.web.game_pages.rules_text import list_paragraphs

PAGE = README.read_text("utf-8")
CASTLES = GAMES["between_two_castles"]
VECTORS = README.parent / "vectors"
SERVER, CLIENT = for_server(JSON), for_client(JSON)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def is_message(text: str) -> bool:
    return text.startswith("{")


def read(text: str) -> Any:
    """The message in a block; unlike on the wire, a key that nobody knows is a mistake."""
    kind = json.loads(text)["type"]
    codec = SERVER if kind in map(wire_name, REQUESTS) else CLIENT
    message: Any = codec.decode(text)
    assert json.loads(text).keys() <= json.loads(codec.encode(message)).keys()
    return message


MESSAGES = [read(text) for text in blocks("json") if is_message(text)]


class Reader:
    """A client that knows the tables on the page from the page alone."""

    def __init__(self) -> None:
        self.board: Any = None
        self.hand: Any = None
        self.version = 0
        self.offer: Offer | None = None

    def show(self, shown: Snapshot) -> None:
        self.board, self.hand, self.version, self.offer = shown.board, shown.hand, shown.version, shown.offer
        self.check(shown.digest)

    def go_on(self, update: Update) -> None:
        assert update.version == self.version + 1
        self.board, self.hand = patch.apply(self.board, update.board or []), patch.apply(self.hand, update.hand or [])
        self.version = update.version
        self.offer = update.offer if isinstance(update.offer, Offer) else self.offer
        self.check(update.digest)

    def check(self, told: int) -> None:
        assert digest.of_viewer(digest.of_board(self.board), self.hand) == told

    def decide(self, act: Act) -> None:
        assert self.offer is not None
        assert act.offer == self.offer.id
        assert offers.permits(self.offer.choices, act.action)


# Messages


def test_messages_the_page_shows_most_of_them() -> None:
    assert len(MESSAGES) > 30
    assert {type(message) for message in MESSAGES} >= {Snapshot, Update, Act, Bye}


def test_messages_whatever_is_no_message_is_a_patch() -> None:
    for text in blocks("json"):
        if not is_message(text):
            for op in json.loads(text):
                assert isinstance(op[0], list)
                assert all(isinstance(step, str | int) for step in op[0])


def test_messages_versions_are_contiguous_digests_true_and_actions_legal() -> None:
    tables: dict[str, Reader] = {}
    for message in MESSAGES:
        reader = tables.setdefault(getattr(message, "table", ""), Reader())
        match message:
            case Snapshot():
                reader.show(message)
            case Update():
                reader.go_on(message)
            case Act():
                reader.decide(message)
    assert [reader.version for table, reader in tables.items() if table] == [45, 6]


def test_messages_in_the_worked_exchange_every_request_is_answered_at_once() -> None:
    recorded = re.search(r"\(exchange\)\n(.*?)\n\[//\]: # \(end\)", PAGE, re.DOTALL)
    assert recorded
    spoken = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", recorded[1], re.DOTALL)]
    asked = [at for at, message in enumerate(spoken) if "id" in message]
    assert [spoken[at + 1]["re"] for at in asked] == [spoken[at]["id"] for at in asked]
    assert not any(message["type"] == "refused" for message in spoken)


def test_messages_the_explanation_is_recorded_from_a_server_and_also_an_example() -> None:
    recorded = re.search(r"\(explanation\)\n(.*?)\n\[//\]: # \(end\)", PAGE, re.DOTALL)
    assert recorded
    asked, answered = (read(text) for text in re.findall(r"```json\n(.*?)```", recorded[1], re.DOTALL))
    example = EXAMPLES["explained"]
    assert isinstance(example, Explained)
    assert (asked.question, answered.reason, answered.text) == (QUESTION, example.reason, example.text)
    assert answered.reason.amount == sum(reason.amount for reason in answered.reason.because)


def test_messages_ids_are_never_used_for_two_things() -> None:
    asked: dict[str, Any] = {}
    for message in MESSAGES:
        if isinstance(message, Request):
            assert asked.setdefault(message.id, message) == message


def test_messages_the_refusal_names_a_rule_that_the_game_has() -> None:
    (why,) = [message for message in MESSAGES if isinstance(message, Refused) and message.rule]
    paragraphs = list_paragraphs(CASTLES.rules_text)
    assert (why.rule in paragraphs, why.code in CASTLES.description["labels"]["errors"]) == (True, True)


def test_messages_the_patches_are_those_of_the_first_recorded_update() -> None:
    first = next(update for update in MESSAGES if isinstance(update, Update) and update.table != TABLE)
    assert recorded_patches("patches") == [first.board, first.hand]


def test_messages_the_decision_fits_the_schema_of_the_game() -> None:
    (opened,), (proposed,) = recorded_patches("decision")
    decision = msgspec.convert(opened[1], Decision)
    (proposal,) = msgspec.convert(proposed[1], list[Proposal])
    assert (decision.proposals, opened[1].keys() & {"proposals", "revision"}) == ([], set())
    assert list(proposal.choice) in opened[1]["options"]


def recorded_patches(name: str) -> list[Any]:
    recorded = re.search(rf"\({name}\)\n(.*?)\n\[//\]: # \(end\)", PAGE, re.DOTALL)
    assert recorded
    return [json.loads(text) for text in re.findall(r"```json\n(.*?)```", recorded[1], re.DOTALL)]


# Words


def test_words_labels_are_those_of_the_game() -> None:
    shown = PAGE.partition("(labels)")[2].partition("(end)")[0]
    lines = re.findall(r"^(\w+(?:\.\w+)*) = (.+)$", shown, re.MULTILINE)
    assert {path.partition(".")[0] for path, _ in lines} == CASTLES.description["labels"].keys()
    for path, text in lines:
        assert reduce(lambda node, key: node[key], path.split("."), CASTLES.description["labels"]) == json.loads(text)


def test_words_every_header_of_the_preflight_is_on_the_page() -> None:
    assert [each for each in REQUEST_HEADERS.lower().split(", ") if f"`{each}`" not in PAGE] == []


def test_words_the_news_of_the_table_have_these_fields() -> None:
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (.*) \| \[[^|]+\) \|$", PAGE, re.MULTILINE)
    told = {news: fields for names, fields in rows for news in re.findall(r"`(\w+)`", names)}
    shown = [news for message in MESSAGES if isinstance(message, Update) for news in message.news or ()]
    own = [news for news in shown if news["news"] in told]
    assert {"said", "choice_sealed", "choices_opened"} <= {news["news"] for news in own}
    for news in own:
        assert all(f"`{field}`" in told[news["news"]] for field in news if field != "news"), news


def test_words_every_link_on_the_page_leads_to_a_heading() -> None:
    headings = {slug(heading) for heading in re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)}
    links = set(re.findall(r"\]\(#([^)]+)\)", PAGE))
    assert links <= headings
    assert {slug(heading) for heading in re.findall(r"^## (.+)$", PAGE, re.MULTILINE)} <= links  # the table of contents


def slug(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_words_files_and_names_on_the_page_exist() -> None:
    for name in re.findall(r"`(\w[\w/]*\.(?:yaml|json|py))`", PAGE):
        assert (README.parent / name).exists() or (README.parents[1] / name).exists(), name


@pytest.mark.parametrize("name", ["README.md", "RECORD.md", "FAIRNESS.md"])
def test_words_every_file_that_is_linked_is_there(name: str) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", (README.parent / name).read_text("utf-8"))
    assert links
    assert [link for link in links if not (README.parent / link).is_file()] == []


# Tables


def table_lines() -> list[str]:
    """Everything that stands in a table, or would like to."""
    prose = re.sub(r"^```.*?^```", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    return [line for line in prose.splitlines() if line.startswith("|") or line.endswith("|")]


def test_tables_every_row_has_as_many_cells_as_its_head() -> None:
    width = 0
    for line, following in itertools.pairwise([*table_lines(), ""]):
        assert line.startswith("|"), line
        assert line.endswith("|"), line
        is_head = following and not set(following) - set("| -")
        width = line.count("|") if is_head else width
        assert line.count("|") == width, line


# Code


def node(script: str) -> Any:
    done = subprocess.run(["node", "-"], input=script.encode(), stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def code() -> str:
    return "\n".join(blocks("js"))


def test_code_patches_are_applied_as_the_vectors_say(code: str) -> None:
    cases = json.loads((VECTORS / "patches.json").read_text("utf-8"))["applied"]
    plain = [case for case in cases if "__proto__" not in json.dumps(case)]  # the page warns of it
    script = f"{code}\nconst cases = {json.dumps(plain)};\n"
    assert node(script + "console.log(JSON.stringify(cases.map((c) => apply(c.old, c.patch))))") == [
        case["new"] for case in plain
    ]


def test_code_canonical_forms_are_as_the_vectors_say(code: str) -> None:
    cases = json.loads((VECTORS / "digests.json").read_text("utf-8"))
    script = f"{code}\nconst cases = JSON.parse({json.dumps(json.dumps(cases))});\n"
    forms = "canonical(c.board) + (c.hand === null ? '' : canonical(c.hand))"
    assert node(script + f"console.log(JSON.stringify(cases.map((c) => {forms})))") == [
        case["canonical"] for case in cases
    ]


def test_code_random_actions_are_legal_and_reach_everything(code: str) -> None:
    updates = [message for message in MESSAGES if isinstance(message, Update) and message.version == 44]
    (offer,) = [update.offer for update in updates if isinstance(update.offer, Offer)]
    script = f"{code}\nconst offer = {CLIENT.encode(offer).decode()};\n"
    drawn = node(script + "console.log(JSON.stringify(Array.from({ length: 2000 }, () => randomAction(offer))))")
    assert all(offers.permits(offer.choices, action) for action in drawn)
    assert len({normal(action) for action in drawn}) == offers.count(offer.choices) == 15


def normal(action: dict[str, Any]) -> str:
    """A pick means the same in any order."""
    return json.dumps({name: sorted(value) if name == "tiles" else value for name, value in action.items()})
