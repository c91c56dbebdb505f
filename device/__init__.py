"""The appliance: cameras, buttons, lamps, the journal, the match loop, and the command line.

May import engine, calibration, vision and simulation. This is where files, threads and clocks live; what it
decides it asks the engine.
"""
