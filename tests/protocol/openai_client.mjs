// SPDX-License-Identifier: GPL-3.0-or-later
// What the openai package makes of a server's answers, as one line of JSON:
// openai_client.mjs FOLDER BASE_URL KEY, where the package is installed in FOLDER.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, baseURL, apiKey] = process.argv.slice(2);
const entry = createRequire(pathToFileURL(`${folder}/`)).resolve("openai");
const { default: OpenAI } = await import(pathToFileURL(entry));
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });

const parameters = {
  type: "object",
  properties: { city: { type: "string", maxLength: 8 } },
  required: ["city"],
  additionalProperties: false,
};
const flat = { type: "function", name: "get_weather", description: "Tells the weather.", parameters, strict: true };
const nested = { type: "function", function: { name: "get_weather", description: "Tells the weather.", parameters } };
const messages = [{ role: "user", content: "Hi" }];
const told = {};

told.models = (await client.models.list()).data.map((model) => model.id);
told.model = (await client.models.retrieve("tiny")).id;

const asked = { model: "tiny", messages, max_tokens: 20, temperature: 0.7, seed: 5 };
told.text = (await client.chat.completions.create(asked)).choices[0].message.content;
told.several = (await client.chat.completions.create({ ...asked, n: 2 })).choices.map((choice) => choice.message.content);
const stream = client.chat.completions.stream({ ...asked, stream_options: { include_usage: true } });
told.deltas = "";
stream.on("content", (delta) => (told.deltas += delta));
const completion = await stream.finalChatCompletion();
told.streamed = completion.choices[0].message.content;
told.usage = completion.usage.completion_tokens;

const required = { tool_choice: "required", parallel_tool_calls: false, temperature: 1, seed: 2 };
const calling = { model: "tiny", messages, tools: [nested], ...required };
told.call = (await client.chat.completions.create(calling)).choices[0].message.tool_calls[0].function;
told.streamedCall = (await client.chat.completions.stream(calling).finalChatCompletion()).choices[0].message.tool_calls[0].function;

// A whole turn: the client calls the function itself and sends back what it gave.
const results = [];
const runner = client.chat.completions.runTools({
  model: "tiny",
  messages,
  tools: [{ type: "function", function: {
    ...nested.function,
    parse: JSON.parse,
    function: ({ city }) => { results.push(city); return `11 degrees in ${city}`; },
  } }],
  ...required,
}, { maxChatCompletions: 2 });
await runner.done().catch(() => {});
told.turn = runner.messages.slice(0, 4).map((message) => message.role);
told.results = results;

const response = await client.responses.create({ model: "tiny", input: "Hi", tools: [flat], ...required });
told.item = { type: response.output[0].type, name: response.output[0].name, arguments: response.output[0].arguments };
const events = client.responses.stream({ model: "tiny", input: "Hi", tools: [flat], ...required });
told.argumentDeltas = "";
events.on("response.function_call_arguments.delta", (event) => (told.argumentDeltas += event.delta));
told.streamedItem = (await events.finalResponse()).output[0].arguments;

try {
  await client.chat.completions.create({ model: "tiny", messages, n: 65 });
} catch (error) {
  told.error = { status: error.status, code: error.code, param: error.param, type: error.type };
}
console.log(JSON.stringify(told));
