"""The RPCs: decode, ask the rules, encode. No rule is decided here."""
