"""Between the contract and the rules: messages to values and back, the stored state, and its seal."""
