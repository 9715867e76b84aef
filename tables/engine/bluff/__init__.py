"""Liar's dice: bids over everybody's hidden dice, and five dice passed on under a cup."""
