// SPDX-License-Identifier: GPL-3.0-or-later
// What a waferd tells of its wafer: a session over a WebSocket, with the user's own rights. Node's client of WebSockets
// cannot send a token in a header before version 22, so the few frames that are needed are made here (RFC 6455).
"use strict";

const crypto = require("node:crypto");
const fs = require("node:fs");
const http = require("node:http");
const os = require("node:os");
const path = require("node:path");

const TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10;
const MOST = 32 << 20;

// Whether the program that listens on a port of 127.0.0.1 is this user's, as the kernel tells: another user of a shared
// computer can take a port that is free.
function isOwnPort(port, user = process.getuid(), table = fs.readFileSync("/proc/net/tcp", "ascii")) {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  const owners = table
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === "0A" && (local === `0100007F:${wanted}` || local === `00000000:${wanted}`))
    .map((fields) => Number(fields[7]));
  return owners.length > 0 && owners.every((owner) => owner === user);
}

// The servers of this user, by their token files: PORT.token (docs/protocol.md).
function runningServers(environment = process.env) {
  const folder = environment.XDG_RUNTIME_DIR
    ? path.join(environment.XDG_RUNTIME_DIR, "waferpair")
    : path.join(os.homedir(), ".local/state/waferpair/servers");
  let names = [];
  try {
    names = fs.readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .map((name) => /^(\d{1,5})\.token$/.exec(name))
    .filter(Boolean)
    .map(([name, port]) => ({ port: Number(port), token: fs.readFileSync(path.join(folder, name), "ascii").trim() }))
    .filter(({ token }) => /^[0-9a-f]{64}$/.test(token));
}

function frame(opcode, payload) {
  const mask = crypto.randomBytes(4);
  const length = payload.length;
  const head = length < 126 ? Buffer.from([0x80 | opcode, 0x80 | length]) : Buffer.alloc(4);
  if (length >= 126) {
    if (length > 65535) throw new Error("too long");
    head.writeUInt8(0x80 | opcode, 0);
    head.writeUInt8(0x80 | 126, 1);
    head.writeUInt16BE(length, 2);
  }
  const masked = Buffer.from(payload.map((byte, i) => byte ^ mask[i & 3]));
  return Buffer.concat([head, mask, masked]);
}

// The figures and regions of a binary frame, or null where it is none (docs/protocol.md, "Telemetry").
function readFrame(data) {
  if (data.length < 104 || data.toString("latin1", 0, 4) !== "WPTF" || data.readUInt16LE(4) !== 2) return null;
  const count = data.readUInt32LE(8);
  if (data.length !== 104 + 12 * count + 12 * data.readUInt32LE(12)) return null;
  const cycles = Number(data.readBigUInt64LE(48));
  const regions = [];
  for (let i = 0; i < count; ++i) {
    const active = data.readUInt32LE(104 + 12 * i);
    regions.push(cycles > 0 ? Math.min(1, active / cycles) : 0);
  }
  return {
    hostRate: data.readFloatLE(72),
    waferRate: data.readFloatLE(76),
    contextUsed: data.readUInt32LE(88),
    contextLimit: data.readUInt32LE(92),
    regions,
  };
}

// Calls back with layouts, frames, and once that it is over.
class Telemetry {
  constructor({ port, token }, { layout, frame: told, ended }) {
    this.hear = { layout, told, ended };
    this.bytes = Buffer.alloc(0);
    if (!isOwnPort(port)) {
      setImmediate(() => this.end(`port ${port} is not this user's`));
      return;
    }
    const request = http.request({
      host: "127.0.0.1", port, path: "/v1/session",
      headers: {
        Authorization: `Bearer ${token}`, Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": crypto.randomBytes(16).toString("base64"),
      },
    });
    request.on("upgrade", (_answer, socket, head) => {
      if (this.over) return socket.destroy();
      this.socket = socket;
      socket.on("data", (data) => this.take(data));
      socket.on("error", (error) => this.end(error.message));
      socket.on("close", () => this.end("waferd ended"));
      this.send({ type: "telemetry.subscribe", hz: 20 });
      this.take(head);
    });
    request.on("response", (answer) => this.end(`waferd answered with status ${answer.statusCode}`));
    request.on("error", (error) => this.end(error.message));
    request.end();
  }

  send(message) {
    this.socket.write(frame(TEXT, Buffer.from(JSON.stringify(message))));
  }

  stop() {
    this.hear.ended = () => {};
    this.end("");
  }

  end(reason) {
    if (this.over) return;
    this.over = true;
    this.socket?.destroy();
    this.hear.ended(reason);
  }

  take(data) {
    this.bytes = Buffer.concat([this.bytes, data]);
    while (!this.over && this.bytes.length >= 2) {
      let at = 2;
      let length = this.bytes[1] & 127; // a server does not mask
      if (length === 126) {
        if (this.bytes.length < 4) return;
        length = this.bytes.readUInt16BE(2);
        at = 4;
      } else if (length === 127) {
        if (this.bytes.length < 10) return;
        length = Number(this.bytes.readBigUInt64BE(2));
        at = 10;
      }
      if (length > MOST || !(this.bytes[0] & 0x80)) return this.end("waferd sent a frame that is not understood");
      if (this.bytes.length < at + length) return;
      const opcode = this.bytes[0] & 15;
      const payload = Buffer.from(this.bytes.subarray(at, at + length));
      this.bytes = this.bytes.subarray(at + length);
      this.follow(opcode, payload);
    }
  }

  follow(opcode, payload) {
    if (opcode === PING) return this.socket.write(frame(PONG, payload));
    if (opcode === CLOSE) return this.end("waferd ended");
    if (opcode === BINARY) {
      const told = readFrame(payload);
      if (told) this.hear.told(told);
    } else if (opcode === TEXT) {
      const message = JSON.parse(payload.toString("utf8"));
      if (message.type === "telemetry.layout") this.hear.layout(message.layout);
    }
  }
}

module.exports = { Telemetry, isOwnPort, readFrame, runningServers };
