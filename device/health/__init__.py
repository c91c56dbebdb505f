"""What `pipwatch doctor` looks at: each check is a function that gives a finding, with a remedy if due.

finding       what a check says
machine       packages, disk, clock, power
sight         camera, markers, light
wired_parts   pins
field_checks  what only a real board can tell: the rows of docs/field.md, filled by
               ``field_machine``, ``watching`` and ``bounce``
"""
