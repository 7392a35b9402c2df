"""The clocks of a table: what is measured, and what happens when time is up."""
