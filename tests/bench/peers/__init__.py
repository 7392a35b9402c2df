"""How fast Palatine is beside its peers: the same trivial game, the same load, one core each, in one run."""
