"""Runs moto's server until standard input ends, so that it cannot outlive who started it."""

import os
import sys
import threading

from moto.server import main


def leave_with_starter():
    sys.stdin.buffer.read()
    os._exit(0)


threading.Thread(target=leave_with_starter, daemon=True).start()
main(sys.argv[1:])
