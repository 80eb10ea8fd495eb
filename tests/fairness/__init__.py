"""Tests of the shuffle and of commitments."""
