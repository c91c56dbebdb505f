"""What makes a computer with a camera an appliance: how it runs by itself, and how phones find and join it.

May import every other module of this room and the rooms below it, and never the room of screens.
"""
