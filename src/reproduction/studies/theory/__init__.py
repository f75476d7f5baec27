"""The paper's theory, Sections 3 to 6, as rates that a reader can look at."""
