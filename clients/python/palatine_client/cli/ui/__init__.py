"""What a player or a spectator sees and types at a terminal."""
