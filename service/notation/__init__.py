"""Matches as text that a person can read and write: `docs/notation.md` has the grammar.

`parse` reads a text, `print_match` writes it in its one canonical form, `verify` plays it again and checks what it
says, and `transcribe` makes a text of a record.
"""
