"""Refusals: a stable code, a sentence for people, and the rule it rests on. A refused action changes nothing."""

from __future__ import annotations

from typing import Any

from palatine_protocol import mistakes
from palatine_protocol.errors import Code


class Refused(Exception):  # noqa: N818 (a refusal is no error)
    """The refusal of a request; `rule` names the paragraph of RULES.md, if a rule of the game forbids it.

    `retry_after_ms` says after how many milliseconds the request can succeed, if that is known. `path` says where in
    the request the mistake is.
    """

    def __init__(
        self, code: str, sentence: str, rule: str = "", retry_after_ms: int | None = None, path: str = ""
    ) -> None:
        super().__init__(f"{code}: {sentence}")
        self.code, self.sentence, self.rule, self.path = code, sentence, rule, path
        self.retry_after_ms = retry_after_ms


def refuse(code: Code, rule: str = "", retry_after_ms: int | None = None, path: str = "") -> Refused:
    """Return a refusal with a code of the protocol and its sentence."""
    return Refused(code.value, code.sentence, rule, retry_after_ms, path)


def refuse_option(name: str, sentence: str, rule: str) -> Refused:
    """Return the refusal of a table because of the value of an option."""
    return Refused(Code.BAD_OPTION.value, sentence, rule, path=f"$.options.{name}")


def read_part(value: Any, kind: Any, path: str) -> Any:
    """Return a part of a request as this type; refuse it with the path of the mistake, never the value."""
    try:
        return mistakes.read(value, kind)
    except mistakes.Wrong as wrong:
        where = path + wrong.path.removeprefix("$")
        raise Refused(Code.MALFORMED.value, wrong.sentence, path=where) from None
