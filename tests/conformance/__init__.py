"""Conformance vectors: requests with the answers that every build gives, in JSON, and a runner. See README.md."""
