"""Servers that are watched."""

from tests.server.conftest import _no_settings_from_outside, serve

__all__ = ["_no_settings_from_outside", "serve"]
