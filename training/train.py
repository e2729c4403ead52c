# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains the default model, on a processor or on one GPU, as long as one likes.

  python3 train.py --corpus DIR --vocabulary VOCAB.json --run DIR
  python3 train.py ... --from OTHER/checkpoint.npz [--from-vocabulary OLD.json] [--shape NAME] [--layers N]
  python3 train.py ... --from RUN/checkpoint.npz --run DECAYED --decay-tokens 5000000

The learning rate is constant after a short warm-up, so a run can always go on: starting again with
the same --run does. What is to be used is a second run, which starts from a checkpoint of the first,
lets the rate fall to zero over --decay-tokens and ends. The first one stays as it is. A run that
starts from a decay which was stopped on its way goes on at the rate that this one had come to.

RUN/checkpoint.npz is written every few minutes, at the end and on SIGTERM. Which windows a step sees
depends on --seed and its number alone. Needs python3-torch; on a processor gcc, too, and
libopenblas0-pthread, without which products in float32 take thirty times as long.
"""

import argparse
import contextlib
import hashlib
import json
import os

import processor

processor.settle()

import queue
import resource
import signal
import threading
import time

import torch

import checkpoint
import held_out
import kernels
import model
import optimizer
import rounding
import shapes
import shards
import tokenizer
import warm_start
import windows

USUAL_SHAPE = "mini"
USUAL_LENGTH = 512  # tokens of a window; the whole context while the rate falls
LOG_EVERY = 10  # steps


class Drawn:
    """Windows drawn from a corpus as they are needed."""

    def __init__(self, corpus, vocabulary, seed):
        self.corpus = corpus
        self.vocabulary = vocabulary
        self.seed = seed

    def take(self, step, index, count, length):
        seed = (self.seed, step, index)
        return windows.Sampler(self.corpus, self.vocabulary, seed).windows(count, length)


class Packed:
    """Windows of a folder of shards; see shards.py."""

    def __init__(self, folder, place):
        self.reader = shards.ShardReader(folder, place)
        self.lock = threading.Lock()

    def take(self, step, index, count, length):
        with self.lock:
            return self.reader.take(count, length)


class Trainer:
    """Weights, optimizer and the workers; `step` does one optimizer step.

    On a processor the workers pull micro-batches of a step from one queue, so a core that is busy
    with something else just takes fewer of them. A GPU has one worker."""

    def __init__(self, found, source, vocabulary, options):
        self.device = options.device
        self.shape = found.shape
        self.weights = {k: v.to(self.device) for k, v in found.weights.items()}
        state = {k: v.to(self.device) for k, v in found.state.items()}
        state = state or optimizer.empty_state(self.weights)
        rounded = self.device != "cpu" or options.products == kernels.BFLOAT16
        products = torch.bfloat16 if rounded else torch.float32
        self.optimizer = optimizer.Optimizer(self.weights, state, products)
        self.source = source
        self.vocabulary = vocabulary
        self.rounding = options.rounding
        self.batch_tokens = options.batch_tokens
        self.micro_batch = options.micro_batch
        self.length = options.length
        # Each worker has gradients of its own to the same weights.
        self.used = self._used_weights()
        self.workers = [self._leaves(self.used) for _ in range(options.workers)]
        self.steps = kernels.steps_for(self.shape, self.length, self.device, options.products)
        self.loss = model.loss
        if self.device != "cpu" and hasattr(torch, "compile"):
            self.loss = torch.compile(model.loss)

    def _used_weights(self):
        if self.rounding:
            return rounding.as_stored(self.weights, self.rounding)
        return self.weights

    @staticmethod
    def _leaves(weights):
        return {name: value.detach().requires_grad_() for name, value in weights.items()}

    def step(self, number, rate):
        """Returns the mean loss in nats per counted target."""
        todo = queue.SimpleQueue()
        for index in range(self.batch_tokens // self.micro_batch):
            todo.put(index)
        sums = [[0.0, 0] for _ in self.workers]
        self._in_parallel(lambda worker: self._accumulate(worker, number, todo, sums[worker]))
        names = queue.SimpleQueue()
        for name in self.weights:
            names.put(name)
        self._in_parallel(lambda _: self._update(names, number, rate))
        if self.rounding:
            for name, value in self._used_weights().items():
                self.used[name].copy_(value)
        return sum(float(s[0]) for s in sums) / sum(s[1] for s in sums)

    def _accumulate(self, worker, number, todo, total):
        leaves = self.workers[worker]
        count = self.micro_batch // self.length
        for index in drain(todo):
            drawn = self.source.take(number, index, count, self.length + 1)
            ids, targets = windows.targets(drawn, self.vocabulary)
            total[1] += int((targets >= 0).sum())
            ids = torch.from_numpy(ids).to(self.device)
            targets = torch.from_numpy(targets).to(self.device)
            with self._precision():
                loss = self.loss(leaves, ids, targets, self.steps)
            (loss / self.batch_tokens).backward()
            total[0] += loss.detach()

    def _precision(self):
        if self.device == "cpu":
            return contextlib.nullcontext()
        return torch.autocast(self.device, torch.bfloat16)

    def _update(self, names, number, rate):
        for name in drain(names):
            gradients = [leaves[name].grad for leaves in self.workers]
            gradients = [g for g in gradients if g is not None]
            for other in gradients[1:]:
                gradients[0].add_(other)
            self.optimizer.update(name, gradients[0], number, rate)
            for gradient in gradients:
                gradient.zero_()

    def _in_parallel(self, work):
        failures = []

        def run(index):
            try:
                work(index)
            except BaseException as failure:
                failures.append(failure)

        if len(self.workers) == 1:
            work(0)
            return
        threads = [threading.Thread(target=run, args=(i,)) for i in range(len(self.workers))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]


def drain(items):
    """Yields what is in the queue until it is empty; threads may share it."""
    while True:
        try:
            yield items.get_nowait()
        except queue.Empty:
            return


def rate_at(progress):
    """The schedule without warm-up: constant, then linear to zero over the decay's tokens."""
    decay = progress.get("decay")
    if not decay:
        return progress["rate"]
    left = 1.0 - (progress["tokens"] - decay["start"]) / decay["tokens"]
    return progress["rate"] * max(0.0, left)


def check_vocabulary(path, found, vocabulary, remedy):
    """The vocabulary's fingerprint; ValueError if a checkpoint tells of another one."""
    fingerprint = hashlib.sha256(json.dumps(vocabulary.merges).encode("utf-8")).hexdigest()
    known = found.progress.get("vocabulary", fingerprint)
    if found.shape.vocabulary != vocabulary.size or known != fingerprint:
        raise ValueError(f"{path} is of another vocabulary: {remedy}")
    return fingerprint


def new_run(options, vocabulary):
    """The checkpoint that a run begins with."""
    progress = {"step": 0, "tokens": 0, "seconds": 0.0, "cpu_seconds": 0.0}
    size = dict(shapes.SIZES[options.shape or USUAL_SHAPE], vocabulary=vocabulary.size)
    if options.layers:
        size["layers"] = options.layers
    if not options.start:
        shape = shapes.Shape(**size)
        return checkpoint.Checkpoint(
            shape, model.initial_weights(shape, options.seed), {}, progress
        )
    old = checkpoint.load(options.start)
    known = vocabulary
    if options.from_vocabulary:
        known = tokenizer.Vocabulary.load(options.from_vocabulary)
    check_vocabulary(options.start, old, known, "name its own by --from-vocabulary")
    if not options.shape:
        size = {**old.shape.as_dict(), "layers": options.layers or old.shape.layers}
    size.update(architecture=old.shape.architecture, vocabulary=vocabulary.size)
    shape = shapes.Shape(**size)
    if shape.as_dict() == old.shape.as_dict() and not options.from_vocabulary:
        if "decay" in old.progress:
            # Of a decay that was stopped on its way: the rate that it had come to.
            old.progress["rate"] = rate_at(old.progress) or old.progress["rate"]
            del old.progress["decay"]
        return old
    weights = warm_start.grow(old.shape, old.weights, shape, options.seed)
    if options.from_vocabulary:
        rows = warm_start.widened_rows(old.weights["embedding"], shape.width)
        weights["embedding"] = warm_start.embedding(rows, known, vocabulary, weights["embedding"])
    progress["tokens"] = old.progress["tokens"]
    return checkpoint.Checkpoint(shape, weights, {}, progress)


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--corpus", help="needed without --shards; its held-out split is measured")
    add("--shards", help="folder of shards to read instead; more may arrive")
    add("--vocabulary", required=True)
    add("--run", required=True, help="folder for checkpoint and log")
    add("--shape", choices=shapes.SIZES,
        help="of a run from nothing: mini; with --from the size to grow to, of its architecture")
    add("--layers", type=int, help="other than the shape, or the checkpoint of --from, has")
    add("--from", dest="start", help="checkpoint that a new run starts from")
    add("--from-vocabulary", help="that checkpoint's, where it is another one")
    add("--rate", type=float, help="factor of all learning rates, kept in the checkpoint: 1")
    add("--decay-tokens", type=int, help="let the rate fall to zero over so many, and end")
    add("--rounding", choices=(rounding.Q8_0, rounding.Q4_0), help="train for weights stored so")
    add("--minutes", type=float, help="stop after so many")
    add("--tokens", type=int, help="stop when so many were seen, earlier runs included")
    add("--length", type=int, help="of windows: 512, with --decay-tokens 1,024")
    add("--batch-tokens", type=int, help="of a step: 8,192, on a GPU 262,144")
    add("--micro-batch", type=int, help="tokens at a time: 1,024, on a GPU 65,536")
    add("--workers", type=int, help="threads: 2, on a GPU 1")
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    add("--products", choices=(kernels.FLOAT32, kernels.BFLOAT16),
        help="what a processor's products round their operands to: what is quicker, by a trial")
    add("--seed", type=int, default=1)
    add("--save-every", type=float, default=300, help="seconds")
    add("--measure-every", type=int, default=200, help="steps; 0: never")
    options = parser.parse_args()
    if not (options.corpus or options.shards):
        parser.error("name --corpus or --shards")
    gpu = options.device != "cpu"
    usual = shapes.CONTEXT_LENGTH if options.decay_tokens else USUAL_LENGTH
    options.length = options.length or usual
    options.batch_tokens = options.batch_tokens or (262144 if gpu else 8192)
    options.micro_batch = options.micro_batch or (65536 if gpu else 1024)
    options.workers = options.workers or (1 if gpu else 2)
    if options.micro_batch % options.length or options.batch_tokens % options.micro_batch:
        parser.error("a batch must be whole micro-batches, and these whole windows")
    return options


def main():
    options = read_options()
    if options.device == "cpu":
        kernels.keep_memory()
        torch.set_num_threads(1)
        options.products = options.products or kernels.fastest_products()
    os.makedirs(options.run, exist_ok=True)
    path = os.path.join(options.run, "checkpoint.npz")
    vocabulary = tokenizer.Vocabulary.load(options.vocabulary)
    found = checkpoint.load(path) if os.path.exists(path) else new_run(options, vocabulary)
    progress = found.progress
    remedy = f"{options.vocabulary} is not the one it was made with"
    progress["vocabulary"] = check_vocabulary(path, found, vocabulary, remedy)
    progress["rate"] = options.rate or progress.get("rate", 1.0)
    if options.decay_tokens and "decay" not in progress:
        progress["decay"] = {"start": progress["tokens"], "tokens": options.decay_tokens}
    if options.shards:
        source = Packed(options.shards, progress.get("place"))
        progress["place"] = source.reader.place
    else:
        corpus = windows.Corpus(os.path.join(options.corpus, "train"))
        source = Drawn(corpus, vocabulary, options.seed)
    measured = options.measure_every and options.corpus and held_out.texts(options.corpus)
    trainer = Trainer(found, source, vocabulary, options)
    log = open(os.path.join(options.run, "log.jsonl"), "a", encoding="utf-8")

    def note(**facts):
        known = {key: round(progress[key]) for key in ("step", "tokens", "seconds", "cpu_seconds")}
        log.write(json.dumps({**known, **facts}) + "\n")
        log.flush()

    def measure():
        of_language, mean = held_out.bits_per_byte(
            trainer.shape, trainer.weights, vocabulary, measured
        )
        note(held_out=round(mean, 4), **{k: round(v, 3) for k, v in of_language.items()})

    def save():
        state = trainer.optimizer.state
        kept = checkpoint.Checkpoint(trainer.shape, trainer.weights, state, progress)
        checkpoint.save(path, kept)

    def over():
        if progress.get("decay") and rate_at(progress) == 0:
            return True
        if options.tokens is not None and progress["tokens"] >= options.tokens:
            return True
        return bool(options.minutes) and time.time() - started >= options.minutes * 60

    stopped = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    before = dict(progress)
    started = saved = time.time()
    started_cpu = cpu_seconds()
    recent = []  # losses since the last line of the log
    if measured:
        measure()
    while not (stopped.is_set() or over()):
        progress["step"] += 1
        rate = rate_at(progress)
        recent.append(trainer.step(progress["step"], rate))
        progress["tokens"] += options.batch_tokens
        progress["seconds"] = before["seconds"] + time.time() - started
        progress["cpu_seconds"] = before["cpu_seconds"] + cpu_seconds() - started_cpu
        if progress["step"] % LOG_EVERY == 0:
            note(loss=round(sum(recent) / len(recent), 4), rate=round(rate, 3))
            recent.clear()
        if measured and progress["step"] % options.measure_every == 0:
            measure()
        if time.time() - saved > options.save_every:
            save()
            saved = time.time()
    save()
    if measured and not stopped.is_set() and progress["step"] > before["step"]:
        measure()


if __name__ == "__main__":
    main()
