"""New packages for authors: a game or a bot that can play at once, written from templates."""
