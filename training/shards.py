# SPDX-License-Identifier: GPL-3.0-or-later
"""Windows drawn beforehand, for a machine that trains faster than one core can draw them.

  python3 shards.py --corpus DIR --vocabulary VOCAB.json --output FOLDER --shards 8
      [--windows 16384] [--length 1024] [--first 0] [--processes 2]

FOLDER/NNNNN.LENGTH.u16.xz holds windows of LENGTH ids, one more than the model sees at a time, as
little-endian 16-bit numbers. A file gets its name when it is whole, so that train.py --shards can
read the folder while it is being filled or copied. Shard N is the same whoever draws it; --seed draws
others.
"""

import argparse
import concurrent.futures
import functools
import lzma
import multiprocessing
import os
import time

import numpy as np

import tokenizer
import windows

ENDING = ".u16.xz"
WAIT = 5  # seconds between two looks into an empty folder


def write(folder, number, ids):
    """`ids` is an array [windows, length]."""
    name = os.path.join(folder, f"{number:05}.{ids.shape[1]}{ENDING}")
    with lzma.open(name + ".partial", "wb", preset=6) as file:
        file.write(ids.astype("<u2").tobytes())
    os.replace(name + ".partial", name)


def read(path):
    length = int(os.path.basename(path).split(".")[1])
    with lzma.open(path) as file:
        return np.frombuffer(file.read(), "<u2").reshape(-1, length)


class ShardReader:
    """The windows of a folder, shard by shard in the order of their names, those that arrive later
    behind those that are there. When all were read they come once more.

    `place` is {"read": names, "name": the one being read, "at": its next window}: with it another
    reader goes on from there."""

    def __init__(self, folder, place=None):
        self.folder = folder
        self.place = place or {"read": [], "name": None, "at": 0}
        self.windows = None
        self.reading = concurrent.futures.ThreadPoolExecutor(1)
        self.ahead = None  # (name, future of its windows)

    def take(self, count, length):
        """The next `count` windows, cut to `length` ids; waits for a first shard."""
        taken = []
        while count:
            if self.windows is None:
                if self.place["name"] not in self._names():  # also where it was of another folder
                    self.place.update(name=self._next_name(), at=0)
                self._open(self.place["name"])
            part = self.windows[self.place["at"] : self.place["at"] + count]
            taken.append(part[:, :length])
            count -= len(part)
            self.place["at"] += len(part)
            if self.place["at"] >= len(self.windows):
                self.place["read"].append(self.place["name"])
                self.place.update(name=None, at=0)
                self.windows = None
        found = np.concatenate(taken)
        if found.shape[1] < length:
            raise ValueError(f"{self.folder}: its windows are shorter than {length} ids")
        return found

    def _next_name(self):
        while not (names := self._names()):
            time.sleep(WAIT)
        unread = [name for name in names if name not in self.place["read"]]
        if not unread:
            self.place["read"].clear()
        return (unread or names)[0]

    def _open(self, name):
        if not (self.ahead and self.ahead[0] == name):
            self._read_ahead(name)
        self.windows = self.ahead[1].result()
        done = [*self.place["read"], name]
        names = self._names()
        self._read_ahead(([n for n in names if n not in done] or names)[0])

    def _names(self):
        return sorted(name for name in os.listdir(self.folder) if name.endswith(ENDING))

    def _read_ahead(self, name):
        self.ahead = (name, self.reading.submit(read, os.path.join(self.folder, name)))


@functools.lru_cache(maxsize=None)
def opened(corpus, vocabulary):
    """Once a process."""
    return windows.Corpus(os.path.join(corpus, "train")), tokenizer.Vocabulary.load(vocabulary)


def make(options, number):
    corpus, vocabulary = opened(options.corpus, options.vocabulary)
    sampler = windows.Sampler(corpus, vocabulary, (options.seed, number))
    write(options.output, number, sampler.windows(options.windows, options.length + 1))
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--vocabulary", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--shards", type=int, required=True, help="how many")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--windows", type=int, default=16384, help="in each shard")
    parser.add_argument("--length", type=int, default=1024)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    numbers = range(options.first, options.first + options.shards)
    with multiprocessing.Pool(options.processes) as pool:
        for number in pool.imap_unordered(functools.partial(make, options), numbers):
            print(f"shard {number}", flush=True)


if __name__ == "__main__":
    main()
