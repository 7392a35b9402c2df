"""The exceptions of the client, one for each case that a caller may handle differently."""

from __future__ import annotations

from palatine_protocol.messages import Act, AnyRequest, Refused


class Disconnected(ConnectionError):  # noqa: N818 (a state, not a fault)
    """The connection has ended, and the client will not reconnect."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(code, sentence)
        self.code, self.sentence = code, sentence

    def __str__(self) -> str:
        return f"{self.sentence} ({self.code})" if self.code else self.sentence


class RequestRefused(Exception):  # noqa: N818 (the server's answer, not a fault)
    """The server refused a request."""

    def __init__(self, code: str, sentence: str, rule: str = "", path: str = "") -> None:
        super().__init__(code, sentence, rule, path)
        self.code, self.sentence, self.rule, self.path = code, sentence, rule, path

    def __str__(self) -> str:
        return f"{self.sentence} ({', '.join(filter(None, [self.code, self.rule, self.path]))})"


class ActionRefused(RequestRefused):
    """The server refused an action in a game."""


class UnexpectedReply(Exception):  # noqa: N818 (the server's fault)
    """The server answered a request with a reply of the wrong type."""


def build_refusal(request: AnyRequest, refused: Refused) -> RequestRefused:
    """Return the exception for a refused request."""
    kind = ActionRefused if isinstance(request, Act) else RequestRefused
    return kind(refused.code, refused.sentence, refused.rule, refused.path)
