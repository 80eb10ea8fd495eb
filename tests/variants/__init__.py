"""The variants of Burraco and the other games, each by its own rules."""
