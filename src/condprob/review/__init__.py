"""The review: the paper's claims, a verdict on each, the page that shows them, and its trust."""
