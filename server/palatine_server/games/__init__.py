"""The games: pure rules, no I/O, no clock, no chance but the seeded one."""
