"""The betting machine of ring games.

`vocabulary` says what a game is, `options` what a table adds to it, `state` what a hand in play
holds; `forced`, `dealing`, `betting`, `pots` and `showdown` are its parts, `actions` the choices,
`views` the look, and `hand` puts them together behind the protocol.
"""
