"""What an action of the real games costs, in process and over the wire, beside an earlier commit."""
