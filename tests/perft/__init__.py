"""Perft: the committed tables against the engine, and against the oracles at shallow depth."""
