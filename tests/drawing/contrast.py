"""The contrast of two colours as WCAG 2 defines it."""


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21; 4.5 is readable."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour like #abc or #aabbcc."""
    red, green, blue = (linear(channel) for channel in channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def channels(colour: str) -> tuple[float, float, float]:
    """Return the channels of a colour, from 0 to 1."""
    digits = colour.removeprefix("#")
    full = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
    red, green, blue = (int(full[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue


def linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
