"""The service behind the proxies that deploy/ ships, and what happens when replicas are lost."""
