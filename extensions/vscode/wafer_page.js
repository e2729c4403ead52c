// SPDX-License-Identifier: GPL-3.0-or-later
// The page of the panel that draws the wafer, with wafer_view.js in it: it takes in nothing but what it brings along.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const page = (nonce) => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<title>Wafer</title>
<style nonce="${nonce}">
body { color: var(--vscode-foreground); font-family: var(--vscode-font-family); padding: 12px; }
h2 { font-size: 1.2em; }
canvas { width: 100%; max-width: 640px; display: block; }
dl { display: grid; grid-template-columns: max-content auto; gap: 2px 16px; }
dd { margin: 0; font-variant-numeric: tabular-nums; }
button { color: var(--vscode-button-foreground); background: var(--vscode-button-background); border: none; border-radius: 2px; padding: 4px 10px; }
button:focus-visible { outline: 2px solid var(--vscode-focusBorder); outline-offset: 2px; }
#pointed { min-height: 1.3em; }
#state, #scale { color: var(--vscode-descriptionForeground); }
</style>
</head>
<body>
<h2 id="title">No model works yet</h2>
<canvas id="wafer" role="img" aria-label="The emulated wafer, without a model yet"></canvas>
<p id="pointed"></p>
<button id="fit" type="button" hidden></button>
<p id="scale">The longer a region worked, the farther from blue towards orange; it fades within a second.</p>
<dl>
<dt>This computer (measured)</dt><dd id="host">-</dd>
<dt>Wafer (emulated)</dt><dd id="wafer-rate">-</dd>
<dt>Context</dt><dd id="context">-</dd>
</dl>
<p id="state" role="status"></p>
<script nonce="${nonce}">${fs.readFileSync(path.join(__dirname, "wafer_view.js"), "utf8")}</script>
</body>
</html>`;

module.exports = { page };
