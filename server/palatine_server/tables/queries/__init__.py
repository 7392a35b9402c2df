"""Queries: requests that change nothing, and that a worker thread answers from a copy of the table."""
