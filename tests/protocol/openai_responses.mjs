// SPDX-License-Identifier: GPL-3.0-or-later
// What the openai package makes of responses that are stored, over HTTP and over its own WebSocket, as one line
// of JSON: openai_responses.mjs FOLDER BASE_URL KEY, where the package is installed in FOLDER. The WebSocket wants
// the package ws beside it.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, baseURL, apiKey] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${folder}/`));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { default: OpenAI } = await load("openai");
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const said = (content) => [{ role: "user", content }];
const asked = { model: "tiny", max_output_tokens: 12, temperature: 0 };
const told = {};
// The error's class, as the package sees it.
const failure = async (promise) => {
  try {
    await promise;
    return null;
  } catch (error) {
    return { name: error.constructor.name, status: error.status, code: error.code, param: error.param, message: error.message };
  }
};

const first = await client.responses.create({ ...asked, input: said("Hi") });
told.first = first.output_text;
told.retrieved = (await client.responses.retrieve(first.id)).output_text;
const second = await client.responses.create({ ...asked, input: said("More"), previous_response_id: first.id });
told.second = second.output_text;
const whole = [...said("Hi"), { role: "assistant", content: first.output_text }, ...said("More")];
told.whole = (await client.responses.create({ ...asked, input: whole, store: false })).output_text;
told.counted = (await client.responses.inputTokens.count({ model: "tiny", input: said("More"), previous_response_id: first.id })).input_tokens;
told.read = second.usage.input_tokens;
told.compacted = (await client.responses.compact({ model: "tiny", input: whole })).output.map((item) => item.type);
const background = await client.responses.create({ ...asked, max_output_tokens: 12000, input: said("Hi"), background: true });
told.background = background.status;
told.cancelled = (await client.responses.cancel(background.id)).status;
await client.responses.delete(first.id);
told.deleted = await failure(client.responses.retrieve(first.id));
told.gone = await failure(client.responses.create({ ...asked, input: said("More"), previous_response_id: first.id }));

let ws = null;
try {
  ws = await load("openai/resources/responses/ws");
} catch (error) {
  told.withoutSocket = error.message;
}
if (ws) {
  const socket = new ws.ResponsesWS(client);
  const messages = socket.stream()[Symbol.asyncIterator]();
  const turn = async (fields) => {
    socket.send({ type: "response.create", ...asked, ...fields });
    let text = "";
    for (;;) {
      const { value, done } = await messages.next();
      if (done) return { closed: true };
      const { type, message, error } = value;
      if (type === "error") return { error: { ...error.error?.error, status: error.error?.status } };
      if (type !== "message") continue;
      if (message.type === "response.output_text.delta") text += message.delta;
      if (["response.completed", "response.incomplete", "response.failed"].includes(message.type))
        return { text, id: message.response.id, type: message.type, output: message.response.output };
    }
  };
  const warm = await turn({ input: said("Hi"), generate: false });
  const one = await turn({ input: [], previous_response_id: warm.id });
  const two = await turn({ input: said("More"), previous_response_id: one.id, store: false });
  told.socket = { warm: warm.output, one: one.text, two: two.text };
  told.fromSocket = (await client.responses.retrieve(one.id)).output_text;
  told.fromHttp = (await turn({ input: said("More"), previous_response_id: one.id })).text;
  told.unknown = await turn({ input: said("More"), previous_response_id: "resp_none" });
  told.notStored = await failure(client.responses.retrieve(two.id));
  socket.close();
}
console.log(JSON.stringify(told));
