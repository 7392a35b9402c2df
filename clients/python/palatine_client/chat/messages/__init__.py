"""What the messages of a chat hold, and how they are made from a view of a table."""
