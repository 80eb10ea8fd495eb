"""The rules of the games: pure functions over frozen values.

Nothing in here knows of gRPC, protobuf, logging, clocks, OS randomness or the environment; a test walks the imports.
"""
