"""Tables that are read from the store hold one copy of each word."""

import json

from palatine_server.games.kit.strings import LONGEST_WORD, share_strings


def received(value: object) -> object:
    """Return equal data with strings of its own, as a decoder makes them."""
    return json.loads(json.dumps(value))


def test_words_of_plain_data_are_shared_and_sentences_are_not() -> None:
    data = {"rooms": [["study", 1], ["attic", 2]], "text": "x" * (LONGEST_WORD + 1)}
    first, other = share_strings(received(data)), share_strings(received(data))
    assert first == other == data
    assert first["rooms"][0][0] is other["rooms"][0][0]
    assert first["text"] is not other["text"]
