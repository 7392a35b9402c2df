"""Text that tries to command a terminal, and a check that none of it got through."""

from __future__ import annotations

import re
import unicodedata

# Each is short enough to be a name, and has a word by which one sees that it was printed at all.
ATTACKS = {
    "window title": "\x1b]0;pwned\x07",
    "link": "\x1b]8;;http://evil\x1b\\pwned\x1b]8;;\x07",
    "clipboard": "\x1b]52;c;cHduZWQ=\x07pwned",
    "cleared screen": "\x1b[2J\x1b[Hpwned",
    "hidden colours": "\x1b[8mpwned\x1b[0m",
    "device control": "\x1bP$qpwned\x1b\\",
    "one-byte controls": "\x9b2Jpwned\x9d0;x\x9c",
    "delete": "pwned\x7f\x00\x05",
    "carriage return": "safe\rpwned",
    "backspaces": "safe\b\b\b\bpwned",
    "lines": "safe\x0b\x0cpwned\u2028\u2029\x85",
    "right to left": "\u202epwned\u202c\u2066\u2069\u200f",
    "zero widths": "pw\u200bn\ufeffed pwned\u2060\xad",
    "hidden tags": "pwned\U000e0041\U000e007f\u3164",
    "piled up": "pwned" + "\u0301" * 20,
    "markup": "[red]pwned[/][link=http://e]x[/]",
    "broken markup": "[/pwned] [bold :skull:",
}
EVERYTHING = " ".join(ATTACKS.values())

# What rich and our own keyboard write: colours, wiped lines, the cursor of a display that is drawn anew.
OWN = re.compile(r"\x1b\[[0-9;]*m|\r\x1b\[2K(\x1b\[1A\x1b\[2K)*|(\x1b\[1A\x1b\[2K)+|\x1b\[\?25[lh]|\r+\n")
COLOURS = re.compile(r"\x1b\[([0-9;]*)m")
CONCEALED = "8"


def must_be_harmless(written: str, *, shows: str = "pwned") -> None:
    """Fail if anything but our own sequences reached the terminal, or if nothing foreign was shown."""
    assert shows in written, written
    assert all(CONCEALED not in _attributes(codes) for codes in COLOURS.findall(written)), "foreign colours"
    rest = OWN.sub("", written).replace("\n", "")
    obeyed = {char for char in rest if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}}
    assert not obeyed, (obeyed, written)
    assert not re.search("[\u3164\U000e0000-\U000e0fff]|[\u0300-\u036f]{5}", rest)


def _attributes(codes: str) -> list[str]:
    """The codes of a colour sequence without colours of the palette, whose numbers mean something else."""
    return re.sub(r"[34]8;(5;\d+|2;\d+;\d+;\d+)", "", codes).split(";")
