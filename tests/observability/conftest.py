"""Servers that are watched."""

from tests.server.conftest import _no_settings_from_outside, patient, serve

__all__ = ["_no_settings_from_outside", "patient", "serve"]
