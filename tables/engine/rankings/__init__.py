"""Which hand beats which.

Every ranking is a `Ranking` value of its own file, built on `tables.py`; a bigger value wins.
"""
