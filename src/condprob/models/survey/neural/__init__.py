"""The neural probabilistic language model of Bengio, Ducharme, Vincent and Jauvin (2003)."""
