"""Tests of what is shipped for running the service: manifests, bill of materials."""
