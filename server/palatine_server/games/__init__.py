"""The games: pure rules without I/O and clocks; the only randomness is the seeded generator."""
