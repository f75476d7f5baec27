"""Methods that other people published, with their engines: one folder for each source."""
