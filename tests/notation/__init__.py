"""The notation of matches."""
