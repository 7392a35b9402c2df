"""Metrics of one node for Prometheus. Labels come from closed sets and never hold text of users."""

from .node_metrics import BotMove, Limit, Metrics, PictureOutcome, Resume, WebhookOutcome, WorkerLoss

__all__ = ["BotMove", "Limit", "Metrics", "PictureOutcome", "Resume", "WebhookOutcome", "WorkerLoss"]
