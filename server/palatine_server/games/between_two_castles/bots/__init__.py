"""The bots of Between Two Castles."""
