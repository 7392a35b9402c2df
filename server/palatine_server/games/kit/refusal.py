"""Refusals: a stable code, a sentence for people, and the rule it rests on. A refused action changes nothing."""

from __future__ import annotations

import re

import msgspec

from palatine_protocol.errors import Code


class Refused(Exception):  # noqa: N818 (a refusal is no error)
    """The refusal of a request; `rule` names the paragraph of RULES.md, if a rule of the game forbids it.

    `retry_after_ms` says after how many milliseconds the request can succeed, if that is known.
    """

    def __init__(self, code: str, sentence: str, rule: str = "", retry_after_ms: int | None = None) -> None:
        super().__init__(f"{code}: {sentence}")
        self.code, self.sentence, self.rule, self.retry_after_ms = code, sentence, rule, retry_after_ms


def refuse(code: Code, rule: str = "", retry_after_ms: int | None = None) -> Refused:
    """Return a refusal with a code of the protocol and its sentence."""
    return Refused(code.value, code.sentence, rule, retry_after_ms)


def malformed(what: str, error: msgspec.ValidationError) -> Refused:
    """Return the refusal of unreadable input; it names the path of the mistake, never the value that was sent."""
    return Refused(Code.MALFORMED.value, f"{what} cannot be read: {_without_values(str(error))}")


def _without_values(message: str) -> str:
    return re.sub(r""" (['"]).*\1""", "", message, flags=re.DOTALL) if message.startswith("Invalid") else message
