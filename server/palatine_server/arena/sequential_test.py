"""The stop rule: a sequential probability ratio test (SPRT) of the first contender's share of wins.

A share of 1 means as many wins as chance would give its seats. H0 says that the share is `low`, H1 that it is `high`.
After each deal, x is the share in that deal: the wins of the contender over its fair share, in all rotations together.
Deals are independent of each other, games of one deal are not, so the deal is the unit. With n deals of mean m and
variance v, the log-likelihood ratio is that of two normal distributions, each with the variance that fits it best:

    LLR = n / 2 * log((v + (m - low)^2) / (v + (m - high)^2))

The run stops with H1 when LLR >= log((1 - beta) / alpha), and with H0 when LLR <= log(beta / (1 - alpha)). Alpha and
beta are both 5 %. Before `LEAST_DEALS` deals the estimate of the variance is too poor, and the test does not stop:
with fewer deals, simulated runs were wrong in up to 9 % of all cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from statistics import fmean
from typing import Literal

from msgspec import Struct

ALPHA = BETA = 0.05  # how often the test may be wrong, if H0 is true and if H1 is true
LEAST_DEALS = 32
LEAST_VARIANCE = 0.01  # so that a contender that wins all deals so far does not divide by zero
UPPER, LOWER = log((1 - BETA) / ALPHA), log(BETA / (1 - ALPHA))

Verdict = Literal["H0", "H1", "open"]


class SequentialTest(Struct, frozen=True, kw_only=True):
    """The hypotheses: the share of wins is `low`, or it is `high`."""

    low: float = 1.0
    high: float = 1.2

    def compute_ratio(self, shares: Sequence[float]) -> float:
        """Return the log-likelihood ratio after these deals."""
        if len(shares) < 2:
            return 0.0
        mean = fmean(shares)
        variance = max(LEAST_VARIANCE, fmean((share - mean) ** 2 for share in shares))
        return len(shares) / 2 * log((variance + (mean - self.low) ** 2) / (variance + (mean - self.high) ** 2))

    def decide(self, shares: Sequence[float]) -> Verdict:
        """Return the verdict after these deals."""
        ratio = self.compute_ratio(shares)
        if len(shares) < LEAST_DEALS or LOWER < ratio < UPPER:
            return "open"
        return "H1" if ratio >= UPPER else "H0"
