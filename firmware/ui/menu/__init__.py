"""The menu at work: keys and fingers in, and what was chosen done to the match, the settings and the machine."""
