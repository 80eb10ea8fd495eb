"""Burraco in all its forms (§1.0, §1.1 of the rule book)."""
