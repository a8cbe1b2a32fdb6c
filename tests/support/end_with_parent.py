"""Run a command that ends when this process's standard input closes.

The tests hold the other end of that pipe, so a server started this way never outlives them,
not even when they are killed.
"""

import subprocess
import sys
import threading


def end_with_standard_input(server: subprocess.Popen[bytes]) -> None:
    sys.stdin.buffer.read()
    server.terminate()
    try:
        server.wait(timeout=5)
    except subprocess.TimeoutExpired:
        server.kill()


def main() -> int:
    server = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
    threading.Thread(target=end_with_standard_input, args=(server,), daemon=True).start()
    return server.wait()


if __name__ == "__main__":
    sys.exit(main())
