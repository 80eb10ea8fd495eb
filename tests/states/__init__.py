"""Stored states of every released version, and how versions live side by side."""
