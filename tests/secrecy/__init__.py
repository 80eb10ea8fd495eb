"""The law of secrets, for every game, phase, viewer and RPC: what is hidden from a viewer tells him nothing."""
