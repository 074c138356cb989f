"""What is heard: sounds, the voice, and the owner's own recordings."""
