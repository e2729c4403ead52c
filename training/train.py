# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains waferpair-mini for a given wall-clock time.

  python3 train.py --corpus DIR --vocabulary VOCAB.json --run DIR --minutes 90

Needs numpy and gcc. Two workers (one a core) pull micro-batches of a step from one queue, each with
single-threaded BLAS, so a busy core slows its own share only. Matrices learn by Muon (momentum,
orthogonalised by Newton-Schulz), embedding and gains by Adam. The learning rate is constant and
falls to zero over the last part of the time. RUN/checkpoint.npz is written every few minutes and on
SIGTERM; starting again with the same --run goes on from there, the time already trained included.
"""

import argparse
import json
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: the workers are the parallelism

import queue
import resource
import signal
import threading
import time

import numpy as np

import model
import tokenizer
import windows

MICRO_BATCH = 1024  # tokens; one long window
MUON_RATE = 0.015
EMBEDDING_RATE = 0.006
GAIN_RATE = 0.003
WEIGHT_DECAY = 0.1
MOMENTUM = 0.95
ADAM_BETAS = (0.9, 0.95)
WARM_UP_STEPS = 30
DECAY_SHARE = 0.75  # of the time, at the end
SHORT_LENGTH, LONG_LENGTH = 512, 1024
LONG_FROM = 0.85  # share of the time after which windows have LONG_LENGTH tokens


def orthogonalise(matrix):
    """Newton-Schulz iteration towards the nearest matrix with all singular values near 1."""
    x = matrix / (np.linalg.norm(matrix) + 1e-7)
    transposed = x.shape[0] > x.shape[1]
    if transposed:
        x = x.T
    for _ in range(5):
        square = x @ x.T
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * (square @ square)) @ x
    return x.T if transposed else x


class Optimizer:
    """Muon for the matrices, Adam for embedding and gains. `state` is what a checkpoint keeps."""

    def __init__(self, weights):
        self.weights = weights
        self.state = {}
        for name, value in weights.items():
            self.state[name + "/momentum"] = np.zeros_like(value)
            if not self._is_muon(name):
                self.state[name + "/square"] = np.zeros_like(value)

    def _is_muon(self, name):
        return name != "embedding" and self.weights[name].ndim == 2

    def update(self, name, gradient, step, rate):
        """One step for one tensor; `rate` is the schedule's factor, `step` counts from 1."""
        weight = self.weights[name]
        momentum = self.state[name + "/momentum"]
        if self._is_muon(name):
            momentum *= MOMENTUM
            momentum += gradient
            change = orthogonalise(gradient + MOMENTUM * momentum)
            # Tall matrices get longer steps, so that outputs change by the same amount.
            stretch = max(1.0, weight.shape[0] / weight.shape[1]) ** 0.5
            weight *= 1 - WEIGHT_DECAY * MUON_RATE * rate
            weight -= (MUON_RATE * rate * stretch) * change
        else:
            square = self.state[name + "/square"]
            momentum += (1 - ADAM_BETAS[0]) * (gradient - momentum)
            square += (1 - ADAM_BETAS[1]) * (gradient * gradient - square)
            mean = momentum / (1 - ADAM_BETAS[0] ** step)
            deviation = np.sqrt(square / (1 - ADAM_BETAS[1] ** step)) + 1e-8
            change = mean / deviation
            if name == "embedding":
                # Adam moves the many rare rows as fast as the few frequent ones, and all of them
                # away from the mean state. What all rows share changes no probability, but as input
                # it would drown what tells tokens apart, so it is taken out.
                change -= change.mean(axis=0)
            weight -= rate * (EMBEDDING_RATE if name == "embedding" else GAIN_RATE) * change


class Trainer:
    """Weights, optimizer and the two workers; `step` does one optimizer step."""

    def __init__(self, shape, weights, optimizer, samplers, batch_tokens):
        self.shape = shape
        self.weights = weights
        self.optimizer = optimizer
        self.samplers = samplers
        self.micro_batches = batch_tokens // MICRO_BATCH
        self.workers = []
        self.length = 0

    def set_length(self, length):
        """Windows of `length` tokens from now on."""
        if length != self.length:
            self.length = length
            sequences = MICRO_BATCH // length
            self.workers = [
                model.Worker(self.shape, self.weights, sequences, length) for _ in self.samplers
            ]

    def step(self, number, rate):
        """Returns the mean loss in nats per counted target."""
        todo = queue.SimpleQueue()
        for _ in range(self.micro_batches):
            todo.put(None)
        sums = [[0.0, 0] for _ in self.workers]
        self._in_parallel(lambda index: self._accumulate(index, todo, sums[index]))
        gradients = self.workers[0].gradients
        names = queue.SimpleQueue()
        for name in gradients:
            names.put(name)

        def update(_):
            for name in drain(names):
                for worker in self.workers[1:]:
                    gradients[name] += worker.gradients[name]
                self.optimizer.update(name, gradients[name], number, rate)

        self._in_parallel(update)
        return sum(s[0] for s in sums) / sum(s[1] for s in sums)

    def _accumulate(self, index, todo, total):
        worker, sampler = self.workers[index], self.samplers[index]
        worker.clear()
        scale = 1.0 / (self.micro_batches * MICRO_BATCH)
        for _ in drain(todo):
            ids, targets = sampler.batch(worker.sequences, worker.length)
            total[0] += float(worker.losses(ids, targets, scale).sum())
            total[1] += int((targets >= 0).sum())
            worker.backward()

    def _in_parallel(self, work):
        threads = [threading.Thread(target=work, args=(i,)) for i in range(len(self.workers))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def drain(items):
    """Yields what is in the queue until it is empty; threads may share it."""
    while True:
        try:
            yield items.get_nowait()
        except queue.Empty:
            return


def rate_at(share, step):
    """The schedule: warm-up by steps, then constant, then linear to zero at the end of the time."""
    warm = min(1.0, step / WARM_UP_STEPS)
    return warm * min(1.0, max(0.0, (1.0 - share) / DECAY_SHARE))


def save(path, shape, weights, optimizer, progress):
    """Writes a checkpoint in one piece: a broken-off write leaves the old one."""
    arrays = {"weight/" + name: value for name, value in weights.items()}
    arrays.update({"state/" + name: value for name, value in optimizer.state.items()})
    partial = path + ".partial.npz"
    np.savez(partial, shape=json.dumps(shape.as_dict()), progress=json.dumps(progress), **arrays)
    os.replace(partial, path)


def load(path):
    """(shape, weights, optimizer state, progress) of a checkpoint."""
    with np.load(path) as file:
        shape = model.Shape(**json.loads(str(file["shape"])))
        weights = {k[len("weight/") :]: file[k] for k in file.files if k.startswith("weight/")}
        state = {k[len("state/") :]: file[k] for k in file.files if k.startswith("state/")}
        return shape, weights, state, json.loads(str(file["progress"]))


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--vocabulary", required=True)
    parser.add_argument("--run", required=True, help="folder for checkpoint and log")
    parser.add_argument("--minutes", type=float, required=True, help="earlier parts included")
    parser.add_argument("--until", type=float, help="end at this time (seconds since 1970) instead")
    parser.add_argument("--batch-tokens", type=int, default=4096)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save-every", type=float, default=180, help="seconds")
    options = parser.parse_args()

    os.makedirs(options.run, exist_ok=True)
    checkpoint = os.path.join(options.run, "checkpoint.npz")
    vocabulary = tokenizer.Vocabulary.load(options.vocabulary)
    corpus = windows.Corpus(os.path.join(options.corpus, "train"))
    progress = {"step": 0, "tokens": 0, "seconds": 0.0, "cpu_seconds": 0.0}
    if os.path.exists(checkpoint):
        shape, weights, state, progress = load(checkpoint)
        optimizer = Optimizer(weights)
        optimizer.state.update(state)
    else:
        shape = model.Shape(vocabulary=vocabulary.size)
        weights = model.initial_weights(shape, options.seed)
        optimizer = Optimizer(weights)
    # A resumed run must not see the same windows again.
    seeds = [(options.seed, progress["step"], index) for index in range(options.workers)]
    samplers = [windows.Sampler(corpus, vocabulary, seed) for seed in seeds]
    trainer = Trainer(shape, weights, optimizer, samplers, options.batch_tokens)
    log = open(os.path.join(options.run, "log.jsonl"), "a", encoding="utf-8")
    before = dict(progress)
    started, started_cpu = time.time(), cpu_seconds()
    total = options.minutes * 60
    if options.until:
        total = before["seconds"] + options.until - started
    saved = time.time()
    recent = []  # losses since the last line of the log
    stopped = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    while progress["seconds"] < total and not stopped.is_set():
        share = progress["seconds"] / total
        trainer.set_length(LONG_LENGTH if share >= LONG_FROM else SHORT_LENGTH)
        progress["step"] += 1
        loss = trainer.step(progress["step"], rate_at(share, progress["step"]))
        recent.append(loss)
        progress["tokens"] += options.batch_tokens
        progress["seconds"] = before["seconds"] + time.time() - started
        progress["cpu_seconds"] = before["cpu_seconds"] + cpu_seconds() - started_cpu
        if progress["step"] % 10 == 0:
            entry = {key: round(value) for key, value in progress.items()}
            entry["loss"] = round(sum(recent) / len(recent), 4)
            recent.clear()
            log.write(json.dumps(entry) + "\n")
            log.flush()
        if time.time() - saved > options.save_every:
            save(checkpoint, shape, weights, optimizer, progress)
            saved = time.time()
    save(checkpoint, shape, weights, optimizer, progress)


if __name__ == "__main__":
    main()
