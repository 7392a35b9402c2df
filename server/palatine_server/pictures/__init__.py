"""Pictures of public views: drawn in worker processes, in fair turns, and cached."""
