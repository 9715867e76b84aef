"""Hands as they were: worked cases played on the engine, replays, summaries in words."""
