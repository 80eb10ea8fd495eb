"""The process around the RPCs, over real sockets."""
