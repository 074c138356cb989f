"""Checks of the machine: facts are gathered from it, and findings made of them."""
