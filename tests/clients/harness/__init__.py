"""What makes, checks and runs the clients: scripts/clients."""
