"""What makes results checkable: the machine of a run, and what a reference keeps."""
