// SPDX-License-Identifier: GPL-3.0-or-later
// In the page of the panel: the wafers of the layout with their regions, each as bright as its cores were busy, and the rates
// of both clocks. A small model's regions are drawn large, with a map of where on the wafer they are.
"use strict";

const by = (id) => document.getElementById(id);
const canvas = by("wafer");
const draw = canvas.getContext("2d");
const FADE_MS = 1000;
const GAP = 8; // CSS pixels between wafers
const SMALL = 0.2; // of the wafer's area: a model that takes less is drawn large
let layout = null;
let peaks = []; // of each region: its busiest share and when that was
let taken = null; // the cores that hold regions
let isWhole = true;
let places = []; // of what is drawn: region, and where on the canvas
let isDue = false;

const rate = (value) => Math.round(value).toLocaleString("en") + " tokens/s";
const shareOf = (i, now) => {
  const peak = peaks[i];
  return peak ? peak.share * Math.max(0, 1 - (now - peak.at) / FADE_MS) : 0;
};
// From blue to orange; white text can be read on all between.
const RESTING = [14, 73, 128], BUSY = [200, 80, 10];
const colorOf = (share) => "rgb(" + RESTING.map((from, i) => Math.round(from + share * (BUSY[i] - from))) + ")";
const themed = (name) => getComputedStyle(document.body).getPropertyValue(name) || "gray";

function extentOf(regions) {
  const left = Math.min(...regions.map(({ x }) => x));
  const top = Math.min(...regions.map(({ y }) => y));
  return {
    x: left, y: top,
    width: Math.max(...regions.map(({ x, width }) => x + width)) - left,
    height: Math.max(...regions.map(({ y, height }) => y + height)) - top,
  };
}

// Draws what of a wafer lies in `shown`, in cores, into a box of the canvas.
function drawWafer(wafer, shown, box, now) {
  const scale = Math.min(box.width / shown.width, box.height / shown.height);
  const place = (part) => ({
    x: box.x + (part.x - shown.x) * scale, y: box.y + (part.y - shown.y) * scale,
    width: part.width * scale, height: part.height * scale,
  });
  const whole = place(shown);
  draw.fillStyle = themed("--vscode-editorWidget-background");
  draw.fillRect(whole.x, whole.y, whole.width, whole.height);
  draw.strokeStyle = themed("--vscode-descriptionForeground");
  draw.lineWidth = 1;
  draw.strokeRect(whole.x + 0.5, whole.y + 0.5, whole.width - 1, whole.height - 1);
  layout.regions.forEach((region, i) => {
    if (region.wafer !== wafer) return;
    const at = place(region);
    draw.fillStyle = colorOf(shareOf(i, now));
    draw.fillRect(at.x, at.y, Math.max(1, at.width - 1), Math.max(1, at.height - 1));
    places.push({ i, ...at });
    if (at.width < 6.5 * region.name.length || at.height < 16) return;
    draw.fillStyle = "white";
    draw.fillText(region.name, at.x + at.width / 2, at.y + at.height / 2, at.width - 4);
  });
}

// Where a part is drawn, a map of the whole wafer below it.
function drawMap(box) {
  const scale = Math.min(box.width / layout.fabric_width, box.height / layout.fabric_height);
  draw.strokeStyle = themed("--vscode-descriptionForeground");
  draw.strokeRect(box.x + 0.5, box.y + 0.5, layout.fabric_width * scale, layout.fabric_height * scale - 1);
  draw.fillStyle = colorOf(0);
  draw.fillRect(box.x + taken.x * scale, box.y + taken.y * scale, Math.max(2, taken.width * scale), Math.max(2, taken.height * scale));
  draw.fillStyle = themed("--vscode-descriptionForeground");
  draw.textAlign = "left";
  draw.fillText(`The model's ${taken.width} x ${taken.height} cores of ${layout.fabric_width} x ${layout.fabric_height}`,
    box.x + layout.fabric_width * scale + 10, box.y + box.height / 2, box.width - layout.fabric_width * scale - 10);
}

function paint() {
  isDue = false;
  if (!layout) return;
  const now = performance.now();
  const wide = canvas.clientWidth || 640;
  const columns = Math.ceil(Math.sqrt(layout.wafers));
  const rows = Math.ceil(layout.wafers / columns);
  const mapHeight = isWhole ? 0 : 90;
  const shown = isWhole ? { x: 0, y: 0, width: layout.fabric_width, height: layout.fabric_height } : taken;
  const cell = (wide - GAP * (columns - 1)) / columns;
  const cellHeight = Math.min(cell * shown.height / shown.width, Math.max(120, wide));
  const high = rows * cellHeight + GAP * (rows - 1) + mapHeight;
  const dense = window.devicePixelRatio || 1;
  canvas.width = Math.round(wide * dense);
  canvas.height = Math.round(high * dense);
  canvas.style.height = high + "px";
  draw.setTransform(dense, 0, 0, dense, 0, 0);
  draw.font = "11px " + themed("--vscode-font-family");
  draw.textBaseline = "middle";
  places = [];
  for (let wafer = 0; wafer < layout.wafers; ++wafer) {
    draw.textAlign = "center";
    drawWafer(wafer, shown, {
      x: (wafer % columns) * (cell + GAP), y: Math.floor(wafer / columns) * (cellHeight + GAP), width: cell, height: cellHeight,
    }, now);
  }
  if (!isWhole) drawMap({ x: 0, y: high - mapHeight + GAP, width: wide, height: mapHeight - GAP });
  if (peaks.some((peak) => peak && peak.share > 0 && now - peak.at < FADE_MS)) repaint();
}

function repaint() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(paint);
}

function take(next) {
  layout = next;
  peaks = [];
  taken = extentOf(layout.regions);
  const isSmall = layout.wafers === 1 && taken.width * taken.height < SMALL * layout.fabric_width * layout.fabric_height;
  isWhole = !isSmall;
  by("fit").hidden = !isSmall;
  by("title").textContent = layout.model + (layout.shadow_of ? " (as a shadow of " + layout.shadow_of + ")" : "") +
    " on " + layout.machine + ", " + layout.profile;
  canvas.setAttribute("aria-label", "The emulated wafer with " + layout.regions.length + " regions: " +
    [...new Set(layout.regions.map(({ name }) => name))].slice(0, 12).join(", "));
  nameButton();
}

function nameButton() {
  by("fit").textContent = isWhole ? "Show the model's regions large" : "Show the whole wafer";
}

by("fit").addEventListener("click", () => {
  isWhole = !isWhole;
  nameButton();
  repaint();
});

canvas.addEventListener("mousemove", ({ offsetX, offsetY }) => {
  const found = places.find(({ x, y, width, height }) => offsetX >= x && offsetX < x + width && offsetY >= y && offsetY < y + height);
  if (!found) return void (by("pointed").textContent = "");
  const region = layout.regions[found.i];
  const peak = peaks[found.i];
  const used = layout.sram_per_pe - region.sram.free;
  by("pointed").textContent = region.name + ": " + (region.width * region.height).toLocaleString("en") + " cores, " +
    Math.round(100 * used / layout.sram_per_pe) + " % of their memory in use" +
    (peak ? ", busy for " + Math.round(100 * peak.share) + " % of the last work" : "");
});

addEventListener("resize", repaint);
addEventListener("message", ({ data }) => {
  if (data.layout) take(data.layout);
  if (data.frame) {
    const now = performance.now();
    // The frame that closes a burst is of silence: what was last is left to fade.
    data.frame.regions.forEach((share, i) => {
      if (share > 0 && share >= shareOf(i, now)) peaks[i] = { share, at: now };
    });
    if (data.frame.hostRate > 0) by("host").textContent = rate(data.frame.hostRate);
    if (data.frame.waferRate > 0) by("wafer-rate").textContent = rate(data.frame.waferRate);
    by("context").textContent = data.frame.contextUsed + " of " + data.frame.contextLimit + " tokens";
  }
  if (data.state !== undefined) by("state").textContent = data.state;
  repaint();
});
