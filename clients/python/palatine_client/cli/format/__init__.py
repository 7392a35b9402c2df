"""Figures and lines as people type and read them: clocks, time left, chat."""
