"""Metrics: what this node counts, for Prometheus. Labels come from closed sets; nothing a user wrote is among them."""

from .figures import Limit, Metrics, Resume, Ringing

__all__ = ["Limit", "Metrics", "Resume", "Ringing"]
