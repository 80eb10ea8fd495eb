"""The messages of a stream as the server reads and writes them: private, never seen by a client."""
