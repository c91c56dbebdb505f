"""Cameras: live sources of frames behind ``device.live.ports.Source``.

watchdog     pure: when a camera counts as away, when it is restarted, and how often
own_process  a camera in a process of its own, which is killed and started anew when it hangs
frames       how frames come through the pipe from that process
picamera     run as that process: the Raspberry Pi's camera
process      the process, its pipes and its last words
jpeg         pictures as a USB camera packs them
webcam       run as that process: a USB camera
virtual      the virtual table, filmed in real or fast time
naming       which camera ``--source`` means on this machine
usb_names    how a USB camera is called, and which one a name means
usb_known    pure but for its file: which of those that are alike were seen before, by their sockets
"""
