"""Text formats for the terminal: clocks, remaining time, chat lines, rows of tables."""
