"""Fairness: commitments, entropy, and seals that are opened when choices are revealed."""

import hashlib
import hmac

from tables.state_fixtures import SEED, TABLE, ask, choose, code_of, opened, started

from palatine_protocol import digest, messages
from palatine_server.tables import fairness

ENTROPY = "0f" * 16


def test_the_seed_of_the_game_follows_from_the_servers_part_and_everybodys_entropy() -> None:
    state = opened(2, commitment=fairness.compute_commitment(SEED))
    for seat in range(2):
        ask(state, seat, messages.Sit(**TABLE))
    entry = ask(state, 1, messages.Contribute(**TABLE, entropy=ENTROPY))
    assert entry.news[0].news == {"news": "entropy_added", "seat": 1}
    ask(state, 0, messages.Start(**TABLE))
    expected = hmac.new(bytes.fromhex(SEED), f"palatine game ,{ENTROPY}".encode(), "sha256").hexdigest()
    assert state.take_snapshot().hidden["game"]["chance"]["seed"] == expected
    assert state.info.commitment == hashlib.sha256(b"palatine seed " + bytes.fromhex(SEED)).hexdigest()
    assert code_of(ask, state, 1, messages.Contribute(**TABLE, entropy=ENTROPY)) == "already_started"


def test_choices_are_sealed_and_opened_when_they_are_revealed() -> None:
    state = started()
    entries = [choose(state, seat) for seat in range(3)]
    seals = [entry.news[-1].news if seat < 2 else entry.news[-2].news for seat, entry in enumerate(entries)]
    assert [seal["news"] for seal in seals] == ["choice_sealed"] * 3
    opened_ = entries[2].news[-1].news
    assert opened_["news"] == "choices_opened"
    for seal, entry, choice in zip(seals, entries, opened_["choices"], strict=True):
        assert (choice["version"], choice["seat"], choice["action"]) == (entry.version, entry.seat, entry.did["action"])
        sealed = bytes.fromhex(choice["salt"]) + digest.canonical([choice["seat"], choice["action"]])
        assert hashlib.sha256(sealed).hexdigest() == seal["seal"]


def test_a_seal_says_nothing_without_its_salt() -> None:
    one, two = started(), started()
    two.secrets.seed = "77" * 32
    assert choose(one, 1).did == choose(two, 1).did
    assert choose(one, 0).news[-1].news["seal"] != choose(two, 0).news[-1].news["seal"]
