"""Simple seats, one for each kind of game: what they play follows from their own view and legal moves alone."""
