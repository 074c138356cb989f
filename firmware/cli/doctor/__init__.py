"""What the owner or a helper needs to know: facts gathered from the machine, and findings made of them."""
