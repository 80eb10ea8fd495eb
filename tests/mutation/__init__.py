"""Mutation testing itself: scripts/mutation."""
