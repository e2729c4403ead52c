// SPDX-License-Identifier: GPL-3.0-or-later
// Suggestions in VS Code, by `waferctl lsp`: it mirrors open texts, asks at the caret, and says in the status bar how
// fast both clocks went. A text that the user has not opened is not read.
"use strict";

const crypto = require("node:crypto");
const vscode = require("vscode");
const { Rpc } = require("./rpc.js");
const { Telemetry, runningServers } = require("./telemetry.js");
const { page } = require("./wafer_page.js");

const RETRY_MS = 2000;
const LONGEST_RETRY_MS = 60000;
const SCHEMES = ["file", "untitled", "vscode-remote"];
const rate = (value) => (value > 0 ? Math.round(value).toLocaleString("en") : "-");

class Suggestions {
  constructor(status, log) {
    this.status = status;
    this.log = log;
    this.retry = RETRY_MS;
    this.start();
  }

  async start() {
    const settings = vscode.workspace.getConfiguration("waferpair");
    this.show("$(loading~spin) Waferpair", "The model is being found");
    const rpc = new Rpc(settings.get("command") || "waferctl", ["lsp", ...(settings.get("arguments") || [])], {
      heard: (method, params) => this.heard(method, params),
      ended: (reason) => this.lost(reason),
    });
    this.rpc = rpc;
    const folders = (vscode.workspace.workspaceFolders || []).map(({ uri, name }) => ({ uri: uri.toString(), name }));
    try {
      await rpc.request("initialize", {
        processId: process.pid,
        rootUri: folders[0]?.uri ?? null,
        workspaceFolders: folders,
        capabilities: { textDocument: { inlineCompletion: {} } },
        initializationOptions: { timings: true },
      }).promise;
    } catch {
      return; // lost() has said why
    }
    rpc.notify("initialized", {});
    this.ready = true;
    this.retry = RETRY_MS;
    this.show("Waferpair", "Suggestions come as you type");
    for (const document of vscode.workspace.textDocuments) this.open(document);
  }

  show(text, tooltip) {
    this.status.text = text;
    this.status.tooltip = tooltip;
    this.status.show();
  }

  lost(reason) {
    this.ready = false;
    this.log.appendLine(reason);
    this.show("$(warning) Waferpair", `${reason}\nSee the output "Waferpair"; it is tried again.`);
    this.timer = setTimeout(() => this.start(), this.retry);
    this.retry = Math.min(2 * this.retry, LONGEST_RETRY_MS);
  }

  restart() {
    this.dispose();
    this.retry = RETRY_MS;
    this.start();
  }

  dispose() {
    clearTimeout(this.timer);
    this.ready = false;
    this.rpc.stop();
  }

  heard(method, params) {
    if (method === "window/logMessage") this.log.appendLine(params.message);
    if (method !== "$/waferpair/timings") return;
    const { host, wafer } = params.timings;
    this.show(`Waferpair here ${rate(host?.tokens_per_second)}, wafer ${rate(wafer?.tokens_per_second)} tokens/s`,
      `Of the last suggestion: ${rate(host?.tokens_per_second)} tokens/s on this computer (measured), ` +
      `${rate(wafer?.tokens_per_second)} on ${wafer?.machine ?? "the wafer"} (emulated, ${wafer?.profile ?? ""})`);
  }

  isMirrored(document) {
    return this.ready && SCHEMES.includes(document.uri.scheme);
  }

  open(document) {
    if (!this.isMirrored(document)) return;
    this.rpc.notify("textDocument/didOpen", {
      textDocument: {
        uri: document.uri.toString(), languageId: document.languageId, version: document.version, text: document.getText(),
      },
    });
  }

  // VS Code's changes are all of the text before any of them, the last place first; so each fits the text that those
  // before it left.
  change({ document, contentChanges }) {
    if (!this.isMirrored(document) || contentChanges.length === 0) return;
    this.rpc.notify("textDocument/didChange", {
      textDocument: { uri: document.uri.toString(), version: document.version },
      contentChanges: contentChanges.map(({ range, text }) => ({
        range: { start: { line: range.start.line, character: range.start.character },
                 end: { line: range.end.line, character: range.end.character } },
        text,
      })),
    });
  }

  close(document) {
    if (this.isMirrored(document))
      this.rpc.notify("textDocument/didClose", { textDocument: { uri: document.uri.toString() } });
  }

  async provideInlineCompletionItems(document, position, context, cancellation) {
    if (!this.isMirrored(document)) return [];
    const isByKey = context.triggerKind === vscode.InlineCompletionTriggerKind.Invoke;
    const { id, promise } = this.rpc.request("textDocument/inlineCompletion", {
      textDocument: { uri: document.uri.toString() },
      position: { line: position.line, character: position.character },
      context: { triggerKind: isByKey ? 1 : 2 },
    });
    const stop = cancellation.onCancellationRequested(() => this.rpc.notify("$/cancelRequest", { id }));
    try {
      const result = await promise;
      return (result?.items ?? result ?? []).map(({ insertText, range }) =>
        new vscode.InlineCompletionItem(insertText, range &&
          new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character)));
    } catch {
      return []; // cancelled, or the server is gone: there is nothing to suggest
    } finally {
      stop.dispose();
    }
  }
}

// The wafer of the server that runs, in a panel.
class WaferPanel {
  constructor() {
    this.panel = vscode.window.createWebviewPanel("waferpair.wafer", "Wafer", vscode.ViewColumn.Beside,
      { enableScripts: true, retainContextWhenHidden: true });
    this.panel.webview.html = page(crypto.randomBytes(16).toString("hex"));
    this.panel.onDidDispose(() => {
      this.gone = true;
      clearTimeout(this.timer);
      this.telemetry?.stop();
    });
    this.connect();
  }

  post(message) {
    if (!this.gone) this.panel.webview.postMessage(message);
  }

  connect() {
    const server = runningServers()[0];
    if (!server) return this.later("No waferd of yours runs");
    this.post({ state: `waferd on port ${server.port}` });
    this.telemetry = new Telemetry(server, {
      layout: (layout) => this.post({ layout }),
      frame: (frame) => this.post({ frame }),
      ended: (reason) => this.later(reason),
    });
  }

  later(reason) {
    this.post({ state: `${reason}; it is tried again` });
    this.timer = setTimeout(() => this.connect(), RETRY_MS);
  }
}

function activate(context) {
  const log = vscode.window.createOutputChannel("Waferpair");
  const status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right, 90);
  status.command = "waferpair.showWafer";
  const suggestions = new Suggestions(status, log);
  let shown = null;
  const showWafer = () => {
    if (shown && !shown.gone) shown.panel.reveal();
    else shown = new WaferPanel();
  };
  const workspace = vscode.workspace;
  context.subscriptions.push(
    log, status, suggestions,
    vscode.languages.registerInlineCompletionItemProvider(SCHEMES.map((scheme) => ({ scheme })), suggestions),
    workspace.onDidOpenTextDocument((document) => suggestions.open(document)),
    workspace.onDidChangeTextDocument((change) => suggestions.change(change)),
    workspace.onDidCloseTextDocument((document) => suggestions.close(document)),
    workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("waferpair") && suggestions.restart()),
    vscode.commands.registerCommand("waferpair.showWafer", showWafer),
    vscode.commands.registerCommand("waferpair.restart", () => suggestions.restart()),
  );
}

module.exports = { activate };
