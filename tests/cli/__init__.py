"""The command `burraco`."""
