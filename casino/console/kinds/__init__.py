"""What a table is opened with, as fields that people fill in instead of JSON."""
