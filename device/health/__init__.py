"""What `pipwatch doctor` looks at: each check is a function that gives a finding, with a remedy if due.

finding  what a check says
machine  packages, disk, clock, power
sight    camera, markers, light
wiring   pins
"""
