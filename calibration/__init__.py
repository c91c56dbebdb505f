"""Where the table is: camera model, markers, drift watch, height-aware mapping px↔mm, mats and profiles.

May import engine alone. Everything but the printing and the reading of profiles is a function of its
arguments: pictures come in as arrays, time and randomness as arguments.
"""
