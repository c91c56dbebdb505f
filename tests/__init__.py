"""The tests: one folder a package, oracles of their own, and what traces rules to tests."""
