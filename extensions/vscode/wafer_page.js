// SPDX-License-Identifier: GPL-3.0-or-later
// The page that draws the wafer in a panel: its regions, each as bright as its cores are busy, and the rates of both
// clocks, as the extension posts them.
"use strict";

const page = (nonce) => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<title>Wafer</title>
<style nonce="${nonce}">
body { color: var(--vscode-foreground); font-family: var(--vscode-font-family); padding: 12px; }
canvas { width: 100%; max-width: 640px; display: block; background: var(--vscode-editorWidget-background); border-radius: 4px; }
dl { display: grid; grid-template-columns: max-content auto; gap: 2px 16px; }
dd { margin: 0; font-variant-numeric: tabular-nums; }
</style>
</head>
<body>
<h2 id="title">No model works yet</h2>
<canvas id="wafer" width="640" height="640" role="img" aria-label="Regions of the emulated wafer, each as bright as it is busy"></canvas>
<dl>
<dt>This computer</dt><dd id="host">-</dd>
<dt>Emulated wafer</dt><dd id="wafer-rate">-</dd>
<dt>Context</dt><dd id="context">-</dd>
</dl>
<p id="state" role="status"></p>
<script nonce="${nonce}">
const by = (id) => document.getElementById(id);
const canvas = by("wafer");
const draw = canvas.getContext("2d");
let layout = null;
let busy = [];
const rate = (value) => (value > 0 ? Math.round(value).toLocaleString("en") + " tokens/s" : "-");
function paint() {
  draw.clearRect(0, 0, canvas.width, canvas.height);
  if (!layout) return;
  const scale = Math.min(canvas.width / layout.fabric_width, canvas.height / layout.fabric_height);
  layout.regions.forEach((region, i) => {
    if (region.wafer !== 0) return;
    const share = busy[i] || 0;
    draw.fillStyle = "hsl(" + (210 - 180 * share) + " 80% " + (28 + 32 * share) + "%)";
    draw.fillRect(region.x * scale, region.y * scale, Math.max(1, region.width * scale - 1), Math.max(1, region.height * scale - 1));
  });
}
addEventListener("message", ({ data }) => {
  if (data.layout) {
    layout = data.layout;
    busy = [];
    by("title").textContent = layout.model + " on " + layout.machine + ", " + layout.profile;
  }
  if (data.frame) {
    busy = data.frame.regions;
    by("host").textContent = rate(data.frame.hostRate);
    by("wafer-rate").textContent = rate(data.frame.waferRate);
    by("context").textContent = data.frame.contextUsed + " of " + data.frame.contextLimit;
  }
  if (data.state !== undefined) by("state").textContent = data.state;
  paint();
});
</script>
</body>
</html>`;

module.exports = { page };
