"""Games against the house: a vocabulary, its first value being Three Card Poker.

`vocabulary` says what a game is, `options` what a table may set, `settling` who is paid what (the
pure heart), `rounds` plays a round by it, `prices` works out exactly what each wager costs.
"""
