"""Archives from untrusted authors: read into a checked tree, never unpacked by path, with all sizes bounded."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
import zlib

from ..judgement import SubmissionError
from .tree import SubmissionTree, shown

_GZIP, _BZIP2, _XZ, _ZSTD, _ZIP = (
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ\x00",
    b"\x28\xb5\x2f\xfd",
    (b"PK\x03\x04", b"PK\x05\x06"),
)
# Bytes of a tar for each file besides its content: a header, a pax header with its data, padding.
_BLOCKS = 4096
_ZIP_ENTRY = b"PK\x01\x02"
_XZ_MEMORY = 128 << 20
_MEMBERS = 4


def is_archive(data: bytes) -> bool:
    return data.startswith((_GZIP, _BZIP2, _XZ, _ZSTD, *_ZIP)) or _is_tar(data)


def _is_tar(data: bytes) -> bool:
    return data[257:262] == b"ustar"


def unpack(data: bytes, tree: SubmissionTree) -> None:
    """Put the files of an archive into `tree`.

    Raises: SubmissionError: it is not an archive, is damaged, or contains something that is refused.
    """
    try:
        if data.startswith(_ZIP):
            _zip(data, tree)
        else:
            _tar(_plain(data, tree), tree)
    except SubmissionError:
        raise
    except (
        tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, OverflowError,
        NotImplementedError, RuntimeError, LookupError, MemoryError, ArithmeticError,
    ) as error:  # fmt: skip
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        raise SubmissionError(f"the archive cannot be read: {shown(reason)}") from None


def _plain(data: bytes, tree: SubmissionTree) -> bytes:
    most = tree.limit + tree.most * _BLOCKS + (1 << 16)
    if data.startswith(_GZIP):
        out = gzip.GzipFile(fileobj=io.BytesIO(data)).read(most + 1)
    elif data.startswith(_BZIP2):
        out = bz2.BZ2File(io.BytesIO(data)).read(most + 1)
    elif data.startswith(_XZ):
        out = lzma.LZMADecompressor(memlimit=_XZ_MEMORY).decompress(data, most + 1)
    elif data.startswith(_ZSTD):
        import zstandard

        try:
            with zstandard.ZstdDecompressor(max_window_size=_XZ_MEMORY).stream_reader(data) as reader:
                out = bytes(reader.read(most + 1))
        except zstandard.ZstdError as error:
            raise SubmissionError(f"the archive cannot be read: {shown(str(error))}") from None
    else:
        out = data[: most + 1]
    if len(out) > most:
        raise SubmissionError(f"the archive unpacks to more than the {tree.limit:,} bytes allowed")
    if not _is_tar(out):
        raise SubmissionError("the archive is not a tar: send a tar (plain, .gz, .bz2, .xz, .zst) or a zip")
    return out


def _tar(data: bytes, tree: SubmissionTree) -> None:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for n, member in enumerate(archive):
            if n > _MEMBERS * tree.most:
                raise SubmissionError(f"the archive has more than {_MEMBERS * tree.most:,} entries")
            name = member.name
            if member.isdir():
                if name.strip("./"):
                    tree.directory(name)
            elif member.issym():
                tree.link(name, member.linkname)
            elif member.isreg() and not member.issparse():
                content = archive.extractfile(member)
                assert content is not None
                tree.file(name, content, executable=bool(member.mode & 0o100))
            else:
                kinds = ((member.islnk(), "a hard link"), (member.isfifo(), "a FIFO"), (member.isdev(), "a device"))
                kind = next((what for is_one, what in kinds if is_one), "a special entry")
                raise SubmissionError(f"{shown(name)} is {kind}: only files, directories and links may be in it")


def _zip(data: bytes, tree: SubmissionTree) -> None:
    # Before the entries are parsed: a million of them take a gigabyte.
    if data.count(_ZIP_ENTRY) > _MEMBERS * tree.most:
        raise SubmissionError(f"the archive has more than {_MEMBERS * tree.most:,} entries")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        if len(entries) > _MEMBERS * tree.most:
            raise SubmissionError(f"the archive has more than {_MEMBERS * tree.most:,} entries")
        for entry in entries:
            if entry.flag_bits & 1:
                raise SubmissionError(f"{shown(entry.filename)} is encrypted: send the archive without a password")
            mode = entry.external_attr >> 16
            if entry.is_dir():
                if entry.filename.strip("./"):
                    tree.directory(entry.filename)
                continue
            with archive.open(entry) as content:
                if stat.S_ISLNK(mode):
                    tree.link(entry.filename, content.read(1024))
                elif stat.S_IFMT(mode) in (0, stat.S_IFREG):
                    tree.file(entry.filename, content, executable=bool(mode & 0o100))
                else:
                    raise SubmissionError(f"{shown(entry.filename)} is a special file: only files are accepted")
