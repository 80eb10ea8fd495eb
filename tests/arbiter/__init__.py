"""The arbiter: open states, their audit, and its port."""
