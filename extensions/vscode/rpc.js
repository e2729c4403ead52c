// SPDX-License-Identifier: GPL-3.0-or-later
// JSON-RPC with a program over its standard streams, in the frames of the Language Server Protocol.
"use strict";

const { spawn } = require("node:child_process");

const MOST_HEADER = 8192;
const MOST_BODY = 64 << 20;

class Rpc {
  // `heard(method, params)` hears notifications, `ended(reason)` once that it is over.
  constructor(command, args, { heard, ended }) {
    this.heard = heard;
    this.ended = ended;
    this.waiting = new Map();
    this.lastId = 0;
    this.bytes = Buffer.alloc(0);
    this.said = "";
    this.process = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
    this.process.on("error", (error) => this.end(`${command} cannot be started: ${error.message}`));
    this.process.on("exit", (code) => this.end(this.said.trim() || `${command} ended with code ${code}`));
    this.process.stdin.on("error", () => {}); // its end is told by "exit"
    this.process.stdout.on("data", (data) => this.take(data));
    this.process.stderr.on("data", (data) => (this.said = (this.said + data).slice(-2000)));
  }

  request(method, params) {
    const id = ++this.lastId;
    const promise = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.write({ id, method, params });
    return { id, promise };
  }

  notify(method, params) {
    this.write({ method, params });
  }

  stop() {
    this.ended = () => {};
    this.process.stdin.end();
    this.process.kill();
  }

  write(message) {
    if (this.over) return;
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  take(data) {
    this.bytes = Buffer.concat([this.bytes, data]);
    for (;;) {
      const end = this.bytes.indexOf("\r\n\r\n");
      if (end < 0) {
        if (this.bytes.length > MOST_HEADER) this.fail("sent no header");
        return;
      }
      const length = Number(/^Content-Length: (\d+)$/im.exec(this.bytes.toString("latin1", 0, end))?.[1] ?? NaN);
      if (!(length <= MOST_BODY)) return this.fail("sent a header without a usable length");
      if (this.bytes.length < end + 4 + length) return;
      const body = this.bytes.toString("utf8", end + 4, end + 4 + length);
      this.bytes = this.bytes.subarray(end + 4 + length);
      let message;
      try {
        message = JSON.parse(body);
      } catch {
        return this.fail("sent something that is not JSON");
      }
      this.follow(message);
    }
  }

  follow(message) {
    if (message.method !== undefined) {
      // What it asks of an editor, none here can do.
      if (message.id !== undefined) this.write({ id: message.id, result: null });
      else this.heard(message.method, message.params);
      return;
    }
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (!waiting) return;
    if (message.error) waiting.reject(new Error(message.error.message));
    else waiting.resolve(message.result);
  }

  fail(what) {
    this.process.kill();
    this.end(`waferctl lsp ${what}`);
  }

  end(reason) {
    if (this.over) return;
    this.over = true;
    for (const { reject } of this.waiting.values()) reject(new Error(reason));
    this.waiting.clear();
    this.ended(reason);
  }
}

module.exports = { Rpc };
