"""The wire protocol: messages, codec, patches, digests and offers. It imports no other package of ours."""
