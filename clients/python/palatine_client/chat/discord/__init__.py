"""The Discord app: an HTTP endpoint for interactions and a REST client, without a gateway connection."""
