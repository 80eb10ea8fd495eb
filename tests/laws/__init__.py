"""Laws of the rules: what holds for every set of options, every table and every course of play."""
