"""The Python of the jobs of a run that `forks` has started: its server forks for the script."""

import json
import os
import socket
import sys

with socket.socket(socket.AF_UNIX) as server:
    server.connect(sys.argv[1])
    socket.send_fds(server, [b"."], [0, 1, 2])
    server.sendall(json.dumps([sys.argv[2:], os.getcwd(), dict(os.environ)]).encode() + b"\n")
    answer = None
    while answer is None:
        try:
            answer = server.recv(16)
        except KeyboardInterrupt:  # as from a terminal, to all processes of the run
            server.sendall(b"interrupt\n")
status = int(answer or 1)
if status < 0:
    os.kill(os.getpid(), -status)
sys.exit(status)
