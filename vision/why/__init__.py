"""Why the eyes cannot be sure, and where in the picture that is."""
