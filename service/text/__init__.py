"""What the service says in words: catalogues by language."""
