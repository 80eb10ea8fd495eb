"""Runs the conformance vectors, and one whole match, with the client package alone: `python -m burraco_conformance`.

The vectors and their format: tests/conformance of the repository, whose own tests run them with these modules too.
"""
