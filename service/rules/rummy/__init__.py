"""Ramino and Scala 40: one engine for the rummy games with melds on the table, each game a value with its own terms."""
