"""What one frame's marks say in millimetres: cards, labels, fencers."""
