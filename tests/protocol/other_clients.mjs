// SPDX-License-Identifier: GPL-3.0-or-later
// What the packages ollama and @anthropic-ai/sdk make of a server's answers, as one line of JSON:
// other_clients.mjs FOLDER ADDRESS KEY, where the packages are installed in FOLDER.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, address, apiKey] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${folder}/`));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const messages = [{ role: "user", content: "Hi" }];
const parameters = {
  type: "object",
  properties: { n: { enum: [1, 2] } },
  required: ["n"],
  additionalProperties: false,
};
const told = {};

const { Ollama } = await load("ollama");
const ollama = new Ollama({ host: address, headers: { Authorization: `Bearer ${apiKey}` } });
const options = { num_predict: 20, temperature: 0.7, seed: 5 };
told.tags = (await ollama.list()).models.map((model) => model.name);
told.running = (await ollama.ps()).models.map((model) => model.name);
told.capabilities = (await ollama.show({ model: "tiny" })).capabilities;
const gap = { model: "tiny", prompt: "int main(int argc", suffix: ") {\n}\n", options };
told.filled = (await ollama.generate(gap)).response;
told.filledStream = "";
for await (const part of await ollama.generate({ ...gap, stream: true })) told.filledStream += part.response;
told.chat = (await ollama.chat({ model: "tiny", messages, options })).message.content;
told.chatStream = "";
for await (const part of await ollama.chat({ model: "tiny", messages, options, stream: true })) told.chatStream += part.message.content;
try {
  await ollama.show({ model: "other" });
} catch (error) {
  told.ollamaError = { status: error.status_code, message: error.message };
}
const stranger = new Ollama({ host: address });
try {
  await stranger.generate(gap);
} catch (error) {
  told.ollamaStranger = { status: error.status_code, message: error.message };
}
try {
  await ollama.pull({ model: "other" });
} catch (error) {
  told.ollamaPull = { status: error.status_code, message: error.message };
}
await ollama.generate({ model: "tiny", prompt: "", keep_alive: 0 });
told.unloaded = (await ollama.ps()).models.length;
await ollama.generate({ model: "tiny", prompt: "" });

const { default: Anthropic } = await load("@anthropic-ai/sdk");
const anthropic = new Anthropic({ baseURL: address, apiKey, maxRetries: 0 });
const asked = { model: "tiny", max_tokens: 20, messages, temperature: 0.7 };
told.text = (await anthropic.messages.create({ ...asked, temperature: 0 })).content[0].text;
told.counted = (await anthropic.messages.countTokens({ model: "tiny", messages })).input_tokens;
const stream = anthropic.messages.stream({ ...asked, temperature: 0 });
told.deltas = "";
stream.on("text", (delta) => (told.deltas += delta));
const final = await stream.finalMessage();
told.streamed = final.content[0].text;
told.stopReason = final.stop_reason;
told.usage = final.usage.output_tokens;
told.read = final.usage.input_tokens + final.usage.cache_read_input_tokens;
const calling = {
  ...asked,
  max_tokens: 400,
  temperature: 0,
  tools: [{ name: "add", description: "Adds.", input_schema: parameters }],
  tool_choice: { type: "tool", name: "add", disable_parallel_tool_use: true },
};
told.call = (await anthropic.messages.create(calling)).content[0];
told.streamedCall = (await anthropic.messages.stream(calling).finalMessage()).content[0];
try {
  await anthropic.messages.create({ ...asked, messages: [] });
} catch (error) {
  told.anthropicError = { status: error.status, type: error.error?.error?.type };
}
try {
  await new Anthropic({ baseURL: address, apiKey: "x", maxRetries: 0 }).messages.create(asked);
} catch (error) {
  told.anthropicStranger = { name: error.constructor.name, type: error.error?.error?.type };
}
console.log(JSON.stringify(told));
