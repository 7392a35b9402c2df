"""The server: the rules of the games, and the platform that stores, serves and records their tables."""
