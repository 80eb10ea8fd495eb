"""An example back end: it keeps matches in Redis or in PostgreSQL, and loses and doubles nothing.

`store` says what is kept and how it may change, `redis_store` and `postgres_store` keep it, `memory_store` shows the
same in the fewest lines, and `game` is what players call. docs/storing-state.md tells the why.
"""
