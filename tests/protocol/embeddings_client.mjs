// SPDX-License-Identifier: GPL-3.0-or-later
// What the packages openai and ollama make of a server's embeddings, as one line of JSON:
// embeddings_client.mjs FOLDER ADDRESS KEY, where the packages are installed in FOLDER.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, address, apiKey] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${folder}/`));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const told = {};

const { default: OpenAI } = await load("openai");
const openai = new OpenAI({ baseURL: `${address}/v1`, apiKey, maxRetries: 0 });
const asked = { model: "embedding", input: ["for (;;)", "return the int"] };
// Without a format the package asks for base64, and decodes it.
const answer = await openai.embeddings.create(asked);
told.vectors = answer.data.map((one) => Array.from(one.embedding));
told.usage = answer.usage;
const floats = await openai.embeddings.create({ ...asked, encoding_format: "float" });
told.floats = floats.data.map((one) => one.embedding);
told.short = Array.from((await openai.embeddings.create({ ...asked, dimensions: 8 })).data[1].embedding);
try {
  await openai.embeddings.create({ ...asked, model: "tiny" });
} catch (error) {
  told.openAiError = { status: error.status, code: error.code, param: error.param, type: error.type };
}

const { Ollama } = await load("ollama");
const ollama = new Ollama({ host: address, headers: { Authorization: `Bearer ${apiKey}` } });
const embedded = await ollama.embed(asked);
told.ollama = embedded.embeddings;
told.ollamaTokens = embedded.prompt_eval_count;
told.one = (await ollama.embed({ model: "embedding:latest", input: asked.input[0] })).embeddings;
told.older = (await ollama.embeddings({ model: "embedding", prompt: asked.input[0] })).embedding;
told.capabilities = (await ollama.show({ model: "embedding" })).capabilities;
try {
  await ollama.embed({ ...asked, model: "tiny" });
} catch (error) {
  told.ollamaError = { status: error.status_code, message: error.message };
}
console.log(JSON.stringify(told));
