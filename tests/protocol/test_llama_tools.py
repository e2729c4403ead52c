# SPDX-License-Identifier: GPL-3.0-or-later
"""llama-server's paths for tokens and templates, and about itself."""

import json

import test_tools
import waferd


class LlamaTools(test_tools.ToolServer):
    def ask(self, path, body):
        answer, data = self.server.request("POST", path, body)
        self.assertEqual(answer.status, 200, data)
        return json.loads(data)

    async def test_tokens_become_the_text_again(self):
        for text in ("int main() {\n", "aé€", "", " <|im_start|>user\n"):
            tokens = self.ask("/tokenize", {"content": text})["tokens"]
            self.assertEqual(self.ask("/detokenize", {"tokens": tokens})["content"], text)
            pieces = self.ask("/tokenize", {"content": text, "with_pieces": True})["tokens"]
            self.assertEqual([piece["id"] for piece in pieces], tokens)
            joined = b"".join(
                piece["piece"].encode() if isinstance(piece["piece"], str) else
                bytes(piece["piece"]) for piece in pieces)
            self.assertEqual(joined.decode(), text)

    async def test_special_tokens_are_found_unless_the_text_is_plain(self):
        text = "<fim_prefix>"
        found = self.ask("/tokenize", {"content": text})["tokens"]
        plain = self.ask("/tokenize", {"content": text, "parse_special": False})["tokens"]
        self.assertEqual(len(found), 1)
        self.assertGreater(len(plain), 1)

    async def test_a_conversation_is_told_as_the_model_reads_it(self):
        messages = [{"role": "user", "content": "Hi"}]
        told = self.ask("/apply-template", {"messages": messages})["prompt"]
        self.assertEqual(told, "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n")
        used = self.ask("/v1/chat/completions", {"messages": messages, "max_tokens": 1})["usage"]
        self.assertEqual(len(self.ask("/tokenize", {"content": told})["tokens"]),
                         used["prompt_tokens"])

    async def test_it_tells_what_it_has_room_for(self):
        props = json.loads(self.server.request("GET", "/props")[1])
        self.assertEqual(props["default_generation_settings"]["n_ctx"], waferd.CONTEXT)
        self.assertEqual(props["model_alias"], "tiny")
        slots = json.loads(self.server.request("GET", "/slots")[1])
        self.assertEqual(len(slots), props["total_slots"])
        self.assertEqual({slot["is_processing"] for slot in slots}, {False})

    async def test_what_is_wrong_is_told_in_the_form_of_llama_server(self):
        for path, body, named in [
            ("/tokenize", {}, "content"),
            ("/tokenize", {"content": "x" * (1 << 20) + "y"}, "content"),
            ("/detokenize", {"tokens": [-1]}, "tokens"),
            ("/detokenize", {"tokens": ["a"]}, "tokens"),
            ("/detokenize", {"tokens": [1 << 30]}, "tokens"),
            ("/apply-template", {}, "messages"),
            ("/tokenize", "nonsense", "JSON"),
        ]:
            answer, data = self.server.request("POST", path, body)
            error = json.loads(data)["error"]
            self.assertEqual((answer.status, error["code"]), (400, 400))
            self.assertIn(named, error["message"])


if __name__ == "__main__":
    waferd.main()
