"""The language on the wire: patches, digests, offers. Imports nothing of ours."""
