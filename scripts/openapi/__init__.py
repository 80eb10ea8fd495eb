"""The OpenAPI file of the JSON over HTTP: generated from the protos, then told what no proto says."""
