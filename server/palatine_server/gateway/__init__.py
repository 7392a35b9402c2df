"""The gateway: who connects, how much they may say, and how fast they must read."""
