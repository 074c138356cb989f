"""The window, pictures of moments and of disputes, and verdicts as lines."""
