"""Gin, with Knock and Undercut (§1.4 of the rule book)."""
