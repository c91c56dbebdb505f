"""`python -m device` is the command `pipwatch`."""

import sys

from device.cli import main

sys.exit(main())
