"""A stateless gRPC service that knows the rules of Burraco and its relatives."""
