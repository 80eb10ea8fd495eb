"""Generated messages and stubs of the `burraco.v1` contract; regenerate with `make protos`."""
