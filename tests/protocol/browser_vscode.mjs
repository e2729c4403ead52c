// SPDX-License-Identifier: GPL-3.0-or-later
// Uses VS Code in a browser, by keys and mouse: browser_vscode.mjs MODULES ADDRESS PICTURES TYPED. The browser is Debian's
// Chromium; what was seen is printed as one line of JSON. A picture of each step is left in PICTURES, where one is named.
import { createRequire } from "node:module";
import path from "node:path";

const [modules, address, pictures, typed] = process.argv.slice(2);
const { chromium } = createRequire(path.join(modules, "x.js"))("playwright-core");
const told = {};
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
context.setDefaultTimeout(60000);
const page = await context.newPage();
const picture = async (name) => {
  if (pictures) await page.screenshot({ path: path.join(pictures, `${name}.png`) });
};
const until = async (holds) => {
  for (const end = Date.now() + 60000; Date.now() < end; await page.waitForTimeout(50)) {
    const found = await holds();
    if (found) return found;
  }
  throw new Error(`waited in vain: ${holds}`);
};
const lastLine = async () => {
  // Lines are laid out by their place, not in the order of their elements.
  const lines = await page.locator(".view-line").evaluateAll((all) =>
    all.map((line) => [parseFloat(line.style.top), line.textContent.replaceAll("\u00a0", " ")]));
  return lines.sort((one, other) => one[0] - other[0]).at(-1)[1];
};
const ghost = async () => (await page.locator(".ghost-text-decoration, .ghost-text").allTextContents()).join("");
const status = async () => (await page.getByRole("button", { name: /Waferpair/ }).allTextContents()).join("");

try {
  await page.goto(address);
  // The extension works in a folder that is not trusted.
  await page.getByText("No, I don't trust the authors").click();
  await page.getByRole("treeitem", { name: "sum.py" }).dblclick();
  await page.locator(".monaco-editor .view-lines").first().click();
  await page.keyboard.press("Control+End");
  await until(async () => /^Waferpair/.test(await status()));

  await page.keyboard.type(typed, { delay: 50 });
  told.ghost = await until(ghost);
  await picture("1-ghost");
  await page.keyboard.press("Escape"); // of the list of words that VS Code itself opens; the ghost stays
  await until(async () => !(await page.locator(".suggest-widget.visible").count()));
  told.still = await until(ghost);
  await page.keyboard.press("Tab");
  told.accepted = await until(async () => {
    const line = await lastLine();
    return line.includes(typed + told.still[0]) && line;
  });
  told.status = await until(async () => (await status()).includes("tokens/s") && status());
  await picture("2-accepted");

  await page.keyboard.press("F1");
  await page.keyboard.type("Show the Wafer");
  await page.getByRole("option", { name: /Show the Wafer/ }).first().waitFor();
  await page.keyboard.press("Enter");
  const wafer = await until(async () => {
    for (const frame of page.frames()) if (await frame.locator("#wafer").count().catch(() => 0)) return frame;
  });
  const color = () => wafer.evaluate(() => {
    const canvas = document.getElementById("wafer");
    const at = 8 * (window.devicePixelRatio || 1);
    return [...canvas.getContext("2d").getImageData(at, at, 1, 1).data];
  });
  const shape = () => wafer.evaluate(() => document.getElementById("wafer").height / document.getElementById("wafer").width);
  await until(async () => /wse3/.test(await wafer.locator("#title").textContent()));
  await until(async () => (await color())[3] === 255);
  await page.waitForTimeout(1500); // what went before has faded
  told.resting = await color();
  told.title = await wafer.locator("#title").textContent();
  await picture("3-wafer");

  // Its first region lights up while the model works, and rests again.
  await page.locator(".monaco-editor .view-lines").first().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nprint(", { delay: 50 });
  told.busy = await until(async () => {
    const now = await color();
    return now.join() !== told.resting.join() && now;
  });
  await picture("4-busy");
  await until(async () => (await color()).join() === told.resting.join());
  told.host = await until(async () => / tokens\/s/.test(await wafer.locator("#host").textContent()) && wafer.locator("#host").textContent());
  told.wafer = await wafer.locator("#wafer-rate").textContent();
  await wafer.locator("#wafer").hover({ position: { x: 8, y: 8 } });
  told.pointed = await wafer.locator("#pointed").textContent();

  // The model's regions are drawn large until the whole wafer is wished for.
  told.large = await shape();
  await wafer.getByRole("button", { name: "Show the whole wafer" }).click();
  told.whole = await until(async () => (await shape()) !== told.large && shape());
  await picture("5-whole");
} catch (error) {
  await picture("failed");
  throw error;
} finally {
  await browser.close();
}
console.log(JSON.stringify(told));
