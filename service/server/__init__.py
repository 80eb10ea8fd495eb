"""The process around the RPCs: settings, transport, logging, health, drain."""
