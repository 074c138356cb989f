"""What is seen: the window, pictures of moments and of disputes, and verdicts as lines."""
