"""What makes results checkable: manifest, provenance, reference, verification."""
