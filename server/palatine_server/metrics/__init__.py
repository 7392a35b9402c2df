"""Metrics: what this node counts, for Prometheus. Labels come from closed sets; nothing a user wrote is among them."""

from .node_metrics import BotMove, Limit, Metrics, Resume, WebhookOutcome, WorkerLoss

__all__ = ["BotMove", "Limit", "Metrics", "Resume", "WebhookOutcome", "WorkerLoss"]
