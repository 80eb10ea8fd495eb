"""Mutation testing of `service/rules`: small faults put into the rules one at a time, and whether a test notices.

Run by `make mutation`. Two kept tools were tried first and do not reach this code: mutmut 3 leaves out whatever is
decorated (each `property` and `lru_cache`, so the meld tables) and all code of modules and classes; cosmic-ray's parser
does not know `match`, it has neither dropped statements nor dropped arguments, and it starts a process on a source file
changed in place for every mutant.
"""
