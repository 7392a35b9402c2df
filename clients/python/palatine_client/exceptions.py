"""What a client may have to tell apart when something does not go as asked."""

from __future__ import annotations

from palatine_protocol.messages import Act, AnyRequest, Refused


class Disconnected(ConnectionError):  # noqa: N818 (a state of the world)
    """There is no connection and there will be none."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(code, sentence)
        self.code, self.sentence = code, sentence

    def __str__(self) -> str:
        return f"{self.sentence} ({self.code})" if self.code else self.sentence


class RequestRefused(Exception):  # noqa: N818 (the server's answer, not a fault)
    """The server did not do what we asked."""

    def __init__(self, code: str, sentence: str, rule: str = "", path: str = "") -> None:
        super().__init__(code, sentence, rule, path)
        self.code, self.sentence, self.rule, self.path = code, sentence, rule, path

    def __str__(self) -> str:
        return f"{self.sentence} ({', '.join(filter(None, [self.code, self.rule, self.path]))})"


class ActionRefused(RequestRefused):
    """The server did not carry out our action."""


class UnexpectedReply(Exception):  # noqa: N818 (the server's fault)
    """The server answered a request with the wrong kind of reply."""


def build_refusal(request: AnyRequest, refused: Refused) -> RequestRefused:
    """The exception for a refused request."""
    kind = ActionRefused if isinstance(request, Act) else RequestRefused
    return kind(refused.code, refused.sentence, refused.rule, refused.path)
