"""The rules. Pure Python: no clock, no randomness of its own, no input or output.

Start at `games` (the catalogue, `start_hand`, `load_hand`) and `protocol` (what a hand can do).
"""
