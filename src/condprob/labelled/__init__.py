"""Labels in, labels out: counts of whatever holds pairs, and estimates that answer in labels."""
