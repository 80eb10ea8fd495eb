"""The clients in all languages: made from the protos, checked, built, tested and held against the conformance vectors.

Each folder of clients/ says in its client.toml how that is done there; docs/clients.md describes the file.
"""
