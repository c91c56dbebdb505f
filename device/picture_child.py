"""Run alone as a program: decode the picture on stdin within narrow limits and write its pixels to stdout."""

import resource
import sys

MEMORY = 1_600_000_000
CPU_S = 20


def main() -> int:
    """Height and width as a line, then the pixels as blue, green and red; status 1 if there are none.

    The argument is the longest side that is handed over, or 0 for the picture as it is.
    """
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # The kernel's first word, SIGXCPU, tells it from a kill for want of memory.
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    import cv2
    import numpy as np

    cv2.setNumThreads(1)
    image = cv2.imdecode(np.frombuffer(sys.stdin.buffer.read(), np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        return 1
    longest = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    if longest and max(image.shape[:2]) > longest:
        share = longest / max(image.shape[:2])
        size = [max(1, round(side * share)) for side in image.shape[1::-1]]
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    sys.stdout.buffer.write(b"%d %d\n" % image.shape[:2])
    sys.stdout.buffer.write(np.ascontiguousarray(image).data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
