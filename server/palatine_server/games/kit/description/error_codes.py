"""The error codes of a game's own refusals, read from its source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from palatine_protocol.errors import Code

CODE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
RULE = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)+")


def list_error_codes(folder: Path) -> set[str]:
    """Return the codes that the modules of a game name; codes of the protocol are not among them."""
    trees = (ast.parse(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.py")))
    found = {code for tree in trees for node in ast.walk(tree) for code in _find_code(node)}
    return found - {code.value for code in Code}


def _find_code(node: ast.AST) -> Iterator[str]:
    """Yield the code of `Refused(code, sentence, rule)`, and of any other call or tuple of these three."""
    parts = node.args if isinstance(node, ast.Call) else node.elts if isinstance(node, ast.Tuple) else []
    code = _text_at(parts, 0)
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "refuse_option":  # names an option instead
        return
    is_refusal = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refused"
    has_words = " " in _text_at(parts, 1) and RULE.fullmatch(_text_at(parts, 2))
    if CODE.fullmatch(code) and (is_refusal or has_words):
        yield code


def _text_at(parts: list[ast.expr], place: int) -> str:
    part = parts[place] if place < len(parts) else None
    return part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else ""
