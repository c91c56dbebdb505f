"""What makes a computer with a camera an appliance: how it runs by itself, and how phones find and join it.

May import every other module of this room and the rooms below it, and never the room of screens.

box          lobby ↔ match, as a value
host         the threads around it
box_match    one match of the box, from its journal to its end
shelf        the matches that are kept: to go on with, and over
kept_match   one of them as it is shown and remembered, and who has won how often
kept_camera  the camera, kept open from match to match
reception    what a page may see and do of the box
notify       what systemd is told
beats        who must beat, so that systemd is told that all is well
crashes      three crashes in ten minutes, and what follows
vitality     how the box is: ``/api/health``
machinery    what the machine says of itself: heat, power, disk, clock, rights
report       the bundle for a bug report
stick_backup the backup onto a USB stick, by button or page
pins_trial   buttons and lamps, tried from the page
last_good    settings that are broken, and those that are used instead
listing      the page in the list of what the network has
tidying      old pictures that give way after each match, and once a day
timings      how long gate and readers take
pairing      which phones may act: codes, tries, cookies (``tries``, ``phones``)
address      where phones find the box: addresses, its name, QR codes
announcing   tells how to join, again whenever that changes
hotspot      a Wi-Fi of its own where there is no network
"""
