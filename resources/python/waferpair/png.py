# SPDX-License-Identifier: GPL-3.0-or-later
"""PNG files as Qt writes them: 8 bits a channel, not interlaced. Python's standard library alone."""

import hashlib
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}


def chunks(png):
    """The kind and the bytes of each chunk."""
    if not png.startswith(SIGNATURE):
        raise ValueError("no PNG")
    at = len(SIGNATURE)
    while at < len(png):
        size = int.from_bytes(png[at : at + 4], "big")
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        at += size + 12


def parts(png):
    """The header and the filtered rows."""
    header, data = b"", b""
    for kind, body in chunks(png):
        if kind == b"IHDR":
            header = body
        elif kind == b"IDAT":
            data += body
    return header, zlib.decompress(data)


def digest(png):
    """Equal for equal pictures of one encoder; a small() copy has that of the picture it was made of."""
    for kind, body in chunks(png):
        if kind == b"tEXt" and body.startswith(b"Shown\0"):
            return body[6:].decode("ascii")
    header, rows = parts(png)
    return hashlib.sha256(header + rows).hexdigest()


def written(header, rows, *more):
    """A PNG, packed as tightly as deflate can."""

    def chunk(kind, body):
        return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")

    return SIGNATURE + b"".join(chunk(*each) for each in [(b"IHDR", header), *more, (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")])


def small(png):
    """The same pixels in fewer bytes: rows without a filter suit texts and even areas."""
    picture = Picture.of(png)
    return written(picture.header(), picture.unfiltered_rows(), (b"tEXt", b"Shown\0" + digest(png).encode("ascii")))


class Picture:
    """Rows of pixels, three bytes each; what is transparent is as it is written."""

    def __init__(self, width, height, rows):
        self.width, self.height, self.rows = width, height, rows

    @classmethod
    def of(cls, png):
        header, data = parts(png)
        width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", header)
        if depth != 8 or kind not in CHANNELS or interlaced:
            raise ValueError("a PNG that Qt would not write")
        size = CHANNELS[kind]
        rows, before = [], bytearray(width * size)
        for y in range(height):
            begin = y * (width * size + 1)
            row = unfiltered(data[begin], bytearray(data[begin + 1 : begin + 1 + width * size]), before, size)
            before = row
            if size == 4:
                row = bytearray(b for i, b in enumerate(row) if i % 4 != 3)
            elif size < 3:
                row = bytearray(b for i in range(0, len(row), size) for b in (row[i],) * 3)
            rows.append(row)
        return cls(width, height, rows)

    def header(self):
        return struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)

    def unfiltered_rows(self):
        return b"".join(b"\0" + bytes(row) for row in self.rows)

    def png(self):
        return written(self.header(), self.unfiltered_rows())


def unfiltered(kind, row, before, size):
    """PNG's filters (RFC 2083, 6) taken back."""
    if kind == 1:
        for i in range(size, len(row)):
            row[i] = (row[i] + row[i - size]) & 255
    elif kind == 2:
        for i, above in enumerate(before):
            row[i] = (row[i] + above) & 255
    elif kind == 3:
        for i, above in enumerate(before):
            left = row[i - size] if i >= size else 0
            row[i] = (row[i] + (left + above) // 2) & 255
    elif kind == 4:
        for i, above in enumerate(before):
            left, corner = (row[i - size], before[i - size]) if i >= size else (0, 0)
            a, b, c = abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)
            row[i] = (row[i] + (left if a <= b and a <= c else above if b <= c else corner)) & 255
    return row


def differing(one, other):
    """How many pixels differ by more than a shade; all of them where the sizes do."""
    if (one.width, one.height) != (other.width, other.height):
        return max(one.width * one.height, other.width * other.height)
    count = 0
    for a, b in zip(one.rows, other.rows):
        if a != b:
            count += sum(
                1
                for x in range(0, len(a), 3)
                if a[x : x + 3] != b[x : x + 3] and max(abs(a[x + i] - b[x + i]) for i in range(3)) > 8
            )
    return count


def compared(kept, shown, most_differing):
    """None where at most this share of the pixels of two PNG files differs; else the share, and a PNG that has was, is and the
    difference side by side."""
    if digest(kept) == digest(shown):
        return None
    was, now = Picture.of(kept), Picture.of(shown)
    share = differing(was, now) / (was.width * was.height)
    return (share, side_by_side(was, now).png()) if share > most_differing else None


def side_by_side(one, other):
    """What was, what is, and, in red on a pale copy, where they differ."""
    width, height = max(one.width, other.width), max(one.height, other.height)

    def row(picture, y):
        found = picture.rows[y] if y < picture.height else b""
        return bytearray(found) + bytearray(3 * width - len(found))

    rows = []
    for y in range(height):
        a, b = row(one, y), row(other, y)
        marked = bytearray(192 + value // 4 for value in b)
        if a != b:
            for x in range(0, len(a), 3):
                if a[x : x + 3] != b[x : x + 3]:
                    marked[x : x + 3] = b"\xd0\0\0"
        rows.append(a + b + marked)
    return Picture(3 * width, height, rows)
