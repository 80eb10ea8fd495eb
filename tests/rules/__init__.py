"""The rule book, rule by rule: each test is named after the rule it shows."""
