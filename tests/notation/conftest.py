"""Hypothesis works as the profile says."""

from tests.support.profile import load_profile

load_profile()
