"""Laws that hold in every game: for each preset, and for any options that do not contradict one another."""
