"""Metrics of one node for Prometheus. Labels come from closed sets and never hold what a user wrote."""

from .node_metrics import BotMove, Limit, Metrics, Resume, WebhookOutcome, WorkerLoss

__all__ = ["BotMove", "Limit", "Metrics", "Resume", "WebhookOutcome", "WorkerLoss"]
