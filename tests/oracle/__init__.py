"""The slow oracle: the rules once more, by brute force, to compare the service's rules with.

It shares with `service.rules` the options as data and nothing else.
"""
