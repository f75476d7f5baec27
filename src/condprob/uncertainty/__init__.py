"""How sure a probability is: the posterior of a model of rows, and its sampler."""
