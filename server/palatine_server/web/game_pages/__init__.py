"""The pages of games for authors of clients: what `GET /v1/games/<name>` has, for people, with the rules."""
