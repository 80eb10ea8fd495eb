"""A whole match on the real server, played by four simple seats and shown as it goes: `python -m service.demo`."""
