"""Queries: requests that are answered from a copy of the table and change nothing."""
