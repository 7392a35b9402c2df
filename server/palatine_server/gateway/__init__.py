"""The gateway: connections of clients, their admission, and the limits on what they send and how slowly they read."""
