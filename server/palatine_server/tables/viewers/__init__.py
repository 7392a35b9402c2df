"""Viewers: what each of them is sent, now or later."""
