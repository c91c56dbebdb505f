"""Speed, always as a ratio against a known program measured in the same run on the same core."""
