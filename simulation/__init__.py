"""The virtual table: draws any state of a game, hands and trouble included, and knows the truth of each.

May import engine and calibration. It is the default camera on a machine that has none, what the tests look
at, and what the readers are trained on; the same seed gives the same pixels.
"""
