"""Tests of the Python client's hand-written layer."""
