"""Values into sentences, in four languages."""
