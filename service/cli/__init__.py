"""The command `burraco`: plays written matches again, explains their moves, and prints them in canonical form."""
