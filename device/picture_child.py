"""Run alone as a program: decode the picture on stdin within narrow limits and write its pixels to stdout."""

import resource
import sys

MEMORY = 1_600_000_000
CPU_S = 20


def main() -> int:
    """Height and width as a line, then the pixels as blue, green and red; status 1 if there are none."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    import cv2
    import numpy as np

    cv2.setNumThreads(1)
    image = cv2.imdecode(np.frombuffer(sys.stdin.buffer.read(), np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        return 1
    sys.stdout.buffer.write(b"%d %d\n" % image.shape[:2])
    sys.stdout.buffer.write(np.ascontiguousarray(image).data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
