"""Server bots: the queue of tables that wait for a decision, and the worker processes that decide."""
