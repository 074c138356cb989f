"""One frame read: only where something changed, and now and then everywhere."""
