"""A process that films noise, as fast as it is asked, until its parent ends."""

FILMS = """
import sys, time, numpy as np
from device.cameras.frames import Frame
from device.cameras.lifeline import deliver
def pictures():
    rng = np.random.default_rng()
    while True:
        yield Frame(rng.integers(0, 255, (120, 160, 3), np.uint8))
        time.sleep(0.01)
sys.exit(deliver(lambda _requests: pictures()))
"""
