"""Gin: each test of a rule is named after the rule it shows."""
