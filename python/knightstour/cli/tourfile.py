"""A file that tours are listed to, and in which an interrupted listing can be resumed.

Next to ``tours.txt`` there is ``tours.txt.resume`` while the listing is not done. It holds a mark: how long the file
was at some moment, and the position of the listing then. It is replaced atomically, after the file itself is safe on
the disk. So a listing that was killed at any moment resumes from the last mark: what the file has after it is cut off
and listed again. A compressed file is a sequence of gzip members, and a mark is between two of them.

While a run lists to a file it holds a lock on it. The lock ends with the process, however that ends.
"""

import gzip
import io
import json
import os
import sys
import zlib
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from hashlib import blake2b
from operator import index
from pathlib import Path
from stat import S_ISREG
from time import monotonic
from types import TracebackType
from typing import Any, NamedTuple, NoReturn, Self

from knightstour._core import _quote
from knightstour.cli.reading import MisuseError
from knightstour.errors import LimitReachedError

MARK_EVERY = 2.0
"""Seconds between two marks."""

TAIL = 4096
"""This many bytes before a mark are compared, to see whether it is the same file."""

VERSION = 1
"""The version of marks."""


class Mark(NamedTuple):
    """How far a listing was: bytes of the file, tours in it, and the position of the listing.

    It has no position at the beginning, or after the last tours wanted, where a listing cannot be resumed.
    """

    offset: int
    listed: int
    position: bytes | None


class TourFile:
    """A file to write tours to. If it is not a regular file (but a pipe, a device) it has no marks."""

    def __init__(self, name: str, form: str, *, resume: bool) -> None:
        self.name = name
        self.mark = Mark(0, 0, None)
        #: Whether it is to be resumed but has no mark: it is done, or was never a listing. See `Comparison`.
        self.is_unmarked = False
        self._form = form
        self._compresses = name.endswith(".gz")
        self._state = Path(f"{name}.resume")
        self._marked = monotonic()
        self._pool: ThreadPoolExecutor | None = None
        self._waiting: deque[tuple[Future[bytes], int, bytes | None]] = deque()
        try:
            is_new = not os.path.lexists(name)
            self._keeps_marks = is_new or S_ISREG(Path(name).stat().st_mode)
            if resume and not self._keeps_marks:
                raise MisuseError(f"{_quote(name)} is not a regular file, so a listing to it cannot be resumed")
            self._file: Any = self._open(resume, is_new) if self._keeps_marks else io.FileIO(name, "wb")
        except OSError as error:
            raise MisuseError(f"cannot write {_quote(name)}: {error.strerror}") from None
        if self._compresses:
            self._pool = ThreadPoolExecutor(os.cpu_count())

    @property
    def listed(self) -> int:
        """Tours in the file."""
        return self.mark.listed

    @property
    def position(self) -> bytes | None:
        """Where the listing resumes."""
        return self.mark.position

    def _open(self, resume: bool, is_new: bool) -> Any:
        # The file is cut only once it is known that no other process writes to it.
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
        file = os.fdopen(os.open(self.name, flags, 0o666), "r+b", buffering=0)
        try:
            if not lock(file):
                is_new = False
                raise MisuseError(
                    f"another run is listing to {_quote(self.name)} now: wait for it, or name another file"
                )
            self._begin(file, resume)
        except BaseException:
            file.close()
            if is_new:
                Path(self.name).unlink()
            raise
        return file

    def _begin(self, file: Any, resume: bool) -> None:
        """Go to where the listing resumes, or to the beginning of an empty file."""
        size = os.fstat(file.fileno()).st_size
        if not self._state.exists():
            self.is_unmarked = resume and size > 0
            if not self.is_unmarked:
                file.truncate(0)
                self._save_mark(file)
            return
        if not resume:
            raise MisuseError(
                f"{_quote(self.name)} is a listing that was interrupted: continue it with --resume, or remove "
                f"{_quote(str(self._state))} to start again"
            )
        form, mark, tail = self._read_mark()
        if form != self._form:
            raise MisuseError(f"{_quote(self.name)} is written as {form}, not as {self._form}")
        if size < mark.offset or self._tail(file, mark.offset) != tail:
            raise MisuseError(f"{_quote(self.name)} is not the file that {_quote(str(self._state))} belongs to")
        file.truncate(mark.offset)
        file.seek(mark.offset)
        self.mark = mark

    def _read_mark(self) -> tuple[str, Mark, str]:
        try:
            read = json.loads(self._state.read_text("utf-8"))
            body = {key: read[key] for key in ("version", "form", "offset", "listed", "position", "tail")}
            if body["version"] != VERSION or read["check"] != checksum(body):
                raise ValueError
            position = None if body["position"] is None else bytes.fromhex(body["position"])
            offset, listed = index(body["offset"]), index(body["listed"])
            if offset < 0 or listed < 0:
                raise ValueError
            return body["form"], Mark(offset, listed, position), body["tail"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise MisuseError(f"{_quote(str(self._state))} is damaged, or of another version") from None

    def _save_mark(self, file: Any) -> None:
        """Make the file safe, then the mark."""
        mark = self.mark
        os.fsync(file.fileno())
        body: dict[str, object] = {
            "version": VERSION,
            "form": self._form,
            "offset": mark.offset,
            "listed": mark.listed,
            "position": None if mark.position is None else mark.position.hex(),
            "tail": self._tail(file, mark.offset),
        }
        temporary = self._state.with_name(self._state.name + ".new")
        try:
            with temporary.open("w", encoding="utf-8") as new:
                json.dump(body | {"check": checksum(body)}, new)
                new.flush()
                os.fsync(new.fileno())
            temporary.replace(self._state)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise

    def _tail(self, file: Any, offset: int) -> str:
        start = max(0, offset - TAIL)
        with Path(self.name).open("rb") as reader:
            if not os.path.sameopenfile(reader.fileno(), file.fileno()):
                return ""
            reader.seek(start)
            return blake2b(reader.read(offset - start), digest_size=16).hexdigest()

    def write(self, lines: bytes, listed: int, position: bytes | None) -> None:
        """Write whole lines; ``listed`` tours are in the file then, and the listing is at ``position``.

        Without a position they are the last lines.
        """
        if self._pool is None:
            self._put(lines, listed, position)
            return
        self._waiting.append((self._pool.submit(gzip_member, lines), listed, position))
        if len(self._waiting) > 2 * (os.cpu_count() or 1):
            self._put_oldest()

    def _put_oldest(self) -> None:
        member, listed, position = self._waiting[0]
        # After Ctrl-C it may have been put already.
        if listed > self.mark.listed:
            self._put(member.result(), listed, position)
        self._waiting.popleft()

    def _put(self, data: bytes, listed: int, position: bytes | None) -> None:
        if self._keeps_marks:
            # After Ctrl-C there may be part of it already.
            self._file.seek(self.mark.offset)
        view = memoryview(data)
        while view:
            view = view[self._file.write(view) or 0 :]
        # At once: whatever interrupts, the parts of a mark belong together.
        self.mark = Mark(self.mark.offset + len(data), listed, position)
        if self._keeps_marks and position is not None and monotonic() >= self._marked + MARK_EVERY:
            self._save_mark(self._file)
            self._marked = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """The listing is done; or, after an exception, it is left so that it can be resumed."""
        try:
            # A time limit is an OSError of Python's.
            if isinstance(error, LimitReachedError) or not isinstance(error, OSError):
                while self._waiting:
                    self._put_oldest()
            if self._pool is not None and self.mark.offset == 0 and error is None:
                self._put(gzip_member(b""), 0, None)
            if self._keeps_marks:
                if error is None:
                    os.fsync(self._file.fileno())
                    self._state.unlink()
                    # What a run left that was killed while it wrote a mark.
                    self._state.with_name(self._state.name + ".new").unlink(missing_ok=True)
                elif self.mark.position is not None or self.mark.listed == 0:
                    # A line or a member that was cut short goes; what is left is whole.
                    self._file.truncate(self.mark.offset)
                    with suppress(OSError):
                        # On a full disk the mark before this one stays.
                        self._save_mark(self._file)
        finally:
            if self._pool is not None:
                self._pool.shutdown(cancel_futures=True)
            self._file.close()

    def close(self) -> None:
        """Close the file as it is."""
        self._file.close()

    def left(self) -> str:
        """A sentence on what the file holds after the listing was stopped."""
        text = f"{self.mark.listed:,} tours are in {_quote(self.name)}"
        return f"{text}; --resume continues" if self._keeps_marks else text


class Comparison:
    """In place of a file that has no mark: the tours are compared with those in it."""

    listed = 0
    position: bytes | None = None

    def __init__(self, file: TourFile) -> None:
        self._name, self._state = _quote(file.name), _quote(f"{file.name}.resume")
        self._reader: Any = gzip.open(file.name) if file.name.endswith(".gz") else Path(file.name).open("rb")  # noqa: SIM115
        # It stays open for its lock: no other process may write to it now.
        self._file = file

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._reader.close()
        self._file.close()

    def write(self, lines: bytes, listed: int, position: bytes | None) -> None:
        """Compare whole lines, up to that tour."""
        if self._read(len(lines)) != lines:
            self._refuse()
        self.listed, self.position = listed, position

    def end(self) -> str:
        """Say that the file is done, if it ends with the tours that were compared."""
        if self._read(1):
            self._refuse()
        return f"{self._name} is complete: all {self.listed:,} tours are in it"

    def _read(self, size: int) -> Any:
        try:
            return self._reader.read(size)
        except (EOFError, gzip.BadGzipFile, zlib.error):
            return self._refuse()

    def _refuse(self) -> NoReturn:
        said = f"{self._name} is not a complete listing of these tours, and {self._state}, from which to resume,"
        raise MisuseError(f"{said} does not exist")


def lock(file: Any) -> bool:
    """Keep a file for this run, until it is closed; says whether nobody else has it.

    If the system has no locks, it says that nobody else has it.
    """
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415

        # A byte that no file has, so that others can read what is there.
        file.seek(1 << 62)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        finally:
            file.seek(0)
    else:
        import fcntl  # noqa: PLC0415

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass
    return True


def gzip_member(data: bytes) -> bytes:
    """The data as a complete gzip file; such files may follow one another."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()


def checksum(body: dict[str, object]) -> str:
    """A checksum that shows whether a mark was changed."""
    return blake2b(json.dumps(body, sort_keys=True).encode(), digest_size=16).hexdigest()
