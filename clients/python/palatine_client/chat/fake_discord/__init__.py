"""A fake Discord for tests: the routes that apps use, real signatures, and every limit enforced.

What Discord would refuse, the fake refuses. Everything is in memory, and time can be moved by hand.
"""
