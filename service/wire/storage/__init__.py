"""The stored form of a state: private, versioned, never seen by a client."""
