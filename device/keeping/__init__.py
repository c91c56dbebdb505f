"""Keeping what was played: the disk is neither worn out nor filled up, and all of it can be carried away.

reserve        room that is set aside, so that a match ends in order on a full disk
allowance      how many pictures a day may bring to the card, and which go first
old_pictures   pictures of old matches, errors and examples give way to a budget, the records never
caretaker      all of these around the journal that is being written
belongings     what belongs to a backup, and the names it may have there
packing        matches, sets, calibration and settings in one checked file
unpacking      the same back again: checked whole, then renamed into place, never half
stick          the backup onto a USB stick at the press of a button
stick_copier   what root does for that: a program by itself, started by systemd
bundle         what a bug report needs, without names and faces
"""
