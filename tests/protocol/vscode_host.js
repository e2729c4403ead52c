// SPDX-License-Identifier: GPL-3.0-or-later
// The extension for VS Code in an editor that is none: vscode_host.js EXTENSION WAFERCTL. What of VS Code's interface it
// uses is there, as the documentation has it; what came of it is printed as one line of JSON.
"use strict";

const Module = require("node:module");
const path = require("node:path");

const [folder, waferctl] = process.argv.slice(2);
const told = { statuses: [], logged: [], posted: [] };
const event = () => {
  const listeners = [];
  const add = (listener) => (listeners.push(listener), { dispose() {} });
  add.fire = (value) => listeners.forEach((listener) => listener(value));
  return add;
};
const settings = { command: waferctl, arguments: [] };
const events = Object.fromEntries(["onDidOpenTextDocument", "onDidChangeTextDocument", "onDidCloseTextDocument",
  "onDidChangeConfiguration"].map((name) => [name, event()]));
let provider;
const commands = {};
class Range {
  constructor(startLine, startCharacter, endLine, endCharacter) {
    this.start = { line: startLine, character: startCharacter };
    this.end = { line: endLine, character: endCharacter };
  }
}
const panelClosed = event();
const vscode = {
  workspace: { getConfiguration: () => ({ get: (name) => settings[name] }), textDocuments: [], workspaceFolders: [], ...events },
  window: {
    createOutputChannel: () => ({ appendLine: (line) => told.logged.push(line), dispose() {} }),
    createStatusBarItem: () => ({ show() { told.statuses.push(this.text); }, dispose() {} }),
    createWebviewPanel: () => ({
      webview: { postMessage: (message) => told.posted.push(message), set html(text) { told.page = text; } },
      onDidDispose: panelClosed, reveal() {},
    }),
  },
  languages: { registerInlineCompletionItemProvider: (_selector, made) => ((provider = made), { dispose() {} }) },
  commands: { registerCommand: (name, run) => ((commands[name] = run), { dispose() {} }) },
  StatusBarAlignment: { Right: 2 },
  ViewColumn: { Beside: -2 },
  InlineCompletionTriggerKind: { Invoke: 0, Automatic: 1 },
  InlineCompletionItem: class { constructor(insertText, range) { Object.assign(this, { insertText, range }); } },
  Range,
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const until = async (holds) => { while (!holds()) await sleep(20); };
const document = (uri, text) => ({
  uri: { scheme: uri.split(":")[0], toString: () => uri }, languageId: "cpp", version: 1, text, getText() { return this.text; },
});
const never = { onCancellationRequested: () => ({ dispose() {} }) };

async function ask(doc, line, character) {
  return provider.provideInlineCompletionItems(doc, { line, character }, { triggerKind: vscode.InlineCompletionTriggerKind.Invoke }, never);
}

async function main() {
  const context = { subscriptions: [] };
  require(path.join(folder, "extension.js")).activate(context);
  await until(() => told.statuses.includes("Waferpair"));
  const doc = document("file:///made.cpp", "int main(int argc");
  events.onDidOpenTextDocument.fire(doc);
  let items = [];
  while (!(items = await ask(doc, 0, 17)).length) await sleep(50); // the model is being loaded
  told.item = items[0];
  // A change is mirrored: the same place further down is suggested for, and the text there is the new one.
  doc.version = 2;
  doc.text = "// \u{1f600}\n" + doc.text;
  events.onDidChangeTextDocument.fire({ document: doc, contentChanges: [{ range: new Range(0, 0, 0, 0), text: "// \u{1f600}\n" }] });
  told.moved = (await ask(doc, 1, 17))[0];
  await until(() => told.statuses.some((text) => / tokens\/s$/.test(text)));
  // Other texts are none of its business.
  told.elsewhere = await ask(document("output:log", "x"), 0, 1);
  // The wafer is drawn while the model works.
  commands["waferpair.showWafer"]();
  await until(() => told.posted.some((message) => message.layout));
  await ask(doc, 1, 17);
  doc.version = 3;
  events.onDidChangeTextDocument.fire({ document: doc, contentChanges: [{ range: new Range(1, 17, 1, 17), text: ", " }] });
  await ask(doc, 1, 19);
  // One frame at least is of work; the last of a burst is of silence.
  const isBusy = ({ frame }) => frame && frame.regions.some((share) => share > 0);
  await until(() => told.posted.some(isBusy));
  panelClosed.fire();
  // A program that is not there is told, and tried again.
  settings.command = "/nowhere/waferctl";
  events.onDidChangeConfiguration.fire({ affectsConfiguration: () => true });
  await until(() => told.statuses.some((text) => text.startsWith("$(warning)")));
  told.whileGone = await ask(doc, 1, 19);
  settings.command = waferctl;
  await until(() => told.statuses.lastIndexOf("Waferpair") > told.statuses.findIndex((text) => text.startsWith("$(warning)")));
  for (const each of context.subscriptions) each.dispose();
  told.layout = told.posted.find((message) => message.layout).layout;
  told.frame = told.posted.find(isBusy).frame;
  delete told.posted;
  console.log(JSON.stringify(told));
  process.exit(0);
}

main();
