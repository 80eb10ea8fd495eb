"""The generator of the vectors: `python -m tests.conformance.generate`."""
