"""Replicas exchanged one by one under load."""
