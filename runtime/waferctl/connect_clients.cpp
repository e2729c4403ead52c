// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: Codex' help and its reference of config.toml; the documentation of Zed, Continue,
// opencode, llama.vim, Helix and Kate's LSP client; Neovim's and Emacs' manuals.
#include "runtime/waferctl/connect_clients.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace waferpair::waferctl {
namespace {

namespace fs = std::filesystem;
using Settings = nlohmann::ordered_json;

constexpr int kContextIfUnknown = 4096;

std::string pathIn(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value == '/' ? value : "";
}

// A path below the home folder; empty where there is none.
std::string atHome(const std::string& path) {
  const std::string home = pathIn("HOME");
  return home.empty() ? home : home + "/" + path;
}

std::string inConfigHome(const std::string& path) {
  const std::string chosen = pathIn("XDG_CONFIG_HOME");
  return chosen.empty() ? atHome(".config/" + path) : chosen + "/" + path;
}

// A text in double quotes, as JSON, TOML, YAML, Lua and Emacs Lisp write it alike: what comes in is
// of plain characters but for paths.
std::string quoted(const std::string& text) { return Settings(text).dump(); }

std::string contextOf(const Connection& to) {
  return std::to_string(to.context > 0 ? to.context : kContextIfUnknown);
}

ClientSetup codex(const Connection& to) {
  const std::string home = pathIn("CODEX_HOME");
  const std::string file = "waferpair.config.toml";
  return {.name = "codex",
          .title = "Codex",
          .file = home.empty() ? atHome(".codex/" + file) : home + "/" + file,
          .form = SettingsForm::kOwnFile,
          .comment = {},
          .text = "model = " + quoted(to.model) +
                  "\nmodel_provider = \"waferpair\"\nmodel_context_window = " + contextOf(to) +
                  "\n\n[model_providers.waferpair]\nname = \"Waferpair\"\nbase_url = " +
                  quoted(to.address + "/v1") +
                  "\nwire_api = \"responses\"\nsupports_websockets = true\n"
                  "experimental_bearer_token = " +
                  quoted(to.token) + "\n",
          .use = "codex -p waferpair\nOr without this file: CODEX_OSS_BASE_URL=" + to.address +
                 "/t/" + to.token + "/v1 codex --oss --local-provider ollama -m " + to.model,
          .first = FirstRequest::kResponses};
}

ClientSetup zed(const Connection& to) {
  const std::string address = to.address + "/t/" + to.token + "/v1";
  const Settings settings = {
      {"language_models",
       {{"openai_compatible",
         {{"Waferpair",
           {{"api_url", address},
            {"available_models",
             Settings::array(
                 {{{"name", to.model},
                   {"display_name", to.model},
                   {"max_tokens", to.context > 0 ? to.context : kContextIfUnknown}}})}}}}}}},
      {"edit_predictions",
       {{"provider", "open_ai_compatible_api"},
        {"open_ai_compatible_api",
         {{"api_url", address + "/completions"},
          {"model", to.model},
          {"prompt_format", "qwen"},
          {"max_output_tokens", 64}}}}}};
  return {.name = "zed",
          .title = "Zed",
          .file = inConfigHome("zed/settings.json"),
          .form = SettingsForm::kJson,
          .comment = {},
          .text = settings.dump(2) + "\n",
          .use =
              "Predictions come by themselves. For the agent, Zed asks for a key once: any will "
              "do, as the token is in the address.",
          .first = FirstRequest::kChat};
}

ClientSetup vim(const Connection& to) {
  return {.name = "vim",
          .title = "Vim with llama.vim",
          .file = atHome(".vim/plugin/waferpair.vim"),
          .form = SettingsForm::kOwnFile,
          .comment = {},
          .text =
              "\" For the plugin llama.vim (github.com/ggml-org/llama.vim).\n"
              "let g:llama_config = extend(get(g:, 'llama_config', {}), {\n"
              "      \\ 'endpoint_fim': '" +
              to.address +
              "/infill',\n"
              "      \\ 'endpoint_inst': '" +
              to.address +
              "/v1/chat/completions',\n"
              "      \\ 'api_key': '" +
              to.token + "'})\n",
          .use = "Install llama.vim, and type.",
          .first = FirstRequest::kInfill};
}

ClientSetup neovim(const Connection& to) {
  return {.name = "neovim",
          .title = "Neovim",
          .file = inConfigHome("nvim/plugin/waferpair.lua"),
          .form = SettingsForm::kOwnFile,
          .comment = {},
          .text =
              "vim.api.nvim_create_autocmd('FileType', { callback = function(event)\n"
              "  if vim.bo[event.buf].buftype ~= '' then return end\n"
              "  local id = vim.lsp.start_client({ name = 'waferpair', cmd = { " +
              quoted(to.waferctl) +
              ", 'lsp' },\n"
              "    root_dir = vim.fn.getcwd() })\n"
              "  vim.lsp.buf_attach_client(event.buf, id)\n"
              "  if vim.lsp.inline_completion then vim.lsp.inline_completion.enable() end\n"
              "end })\n",
          .use =
              "From 0.12 on text comes in place; before that it is in the list of Ctrl+X, "
              "Ctrl+O, with omnifunc=v:lua.vim.lsp.omnifunc.",
          .first = FirstRequest::kLanguageServer};
}

ClientSetup vscode(const Connection& to) {
  return {.name = "vscode",
          .title = "Visual Studio Code",
          .file = inConfigHome("Code/User/settings.json"),
          .form = SettingsForm::kJson,
          .comment = {},
          .text = Settings({{"waferpair.command", to.waferctl}}).dump(2) + "\n",
          .use = "Install the extension: code --install-extension waferpair.vsix",
          .first = FirstRequest::kLanguageServer};
}

ClientSetup continueDev(const Connection& to) {
  return {.name = "continue",
          .title = "Continue",
          .file = atHome(".continue/waferpair.yaml"),
          .form = SettingsForm::kOwnFile,
          .comment = {},
          .text =
              "name: Waferpair\nversion: 1.0.0\nschema: v1\nmodels:\n  - name: Waferpair\n"
              "    provider: openai\n    model: " +
              quoted(to.model) + "\n    apiBase: " + quoted(to.address + "/v1") +
              "\n    apiKey: " + quoted(to.token) +
              "\n    roles: [chat, edit, apply, autocomplete]\n"
              "    defaultCompletionOptions:\n      contextLength: " +
              contextOf(to) + "\n",
          .use =
              "cn --config ~/.continue/waferpair.yaml\nIn an editor: put its entry of models "
              "into ~/.continue/config.yaml.",
          .first = FirstRequest::kChat};
}

ClientSetup opencode(const Connection& to) {
  const Settings settings = {
      {"$schema", "https://opencode.ai/config.json"},
      {"provider",
       {{"waferpair",
         {{"npm", "@ai-sdk/openai-compatible"},
          {"name", "Waferpair"},
          {"options", {{"baseURL", to.address + "/v1"}, {"apiKey", to.token}}},
          {"models",
           {{to.model,
             {{"name", to.model},
              {"limit",
               {{"context", to.context > 0 ? to.context : kContextIfUnknown},
                {"output", 4096}}}}}}}}}}}};
  return {.name = "opencode",
          .title = "opencode",
          .file = inConfigHome("opencode/opencode.json"),
          .form = SettingsForm::kJson,
          .comment = {},
          .text = settings.dump(2) + "\n",
          .use = "opencode -m waferpair/" + to.model,
          .first = FirstRequest::kChat};
}

ClientSetup emacs(const Connection& to) {
  std::error_code ignored;
  std::string file = atHome(".emacs.d/init.el");
  for (const std::string& used : {atHome(".emacs"), file, inConfigHome("emacs/init.el")})
    if (!used.empty() && fs::exists(used, ignored)) {
      file = used;
      break;
    }
  return {.name = "emacs",
          .title = "Emacs with eglot",
          .file = file,
          .form = SettingsForm::kBlock,
          .comment = ";; ",
          .text =
              "(with-eval-after-load 'eglot\n"
              "  ;; Behind all others: a mode that has a language server keeps it.\n"
              "  (add-to-list 'eglot-server-programs '(prog-mode . (" +
              quoted(to.waferctl) + " \"lsp\")) t))\n",
          .use = "M-x eglot, then M-x completion-at-point.",
          .first = FirstRequest::kLanguageServer};
}

ClientSetup helix(const Connection& to) {
  return {.name = "helix",
          .title = "Helix",
          .file = inConfigHome("helix/languages.toml"),
          .form = SettingsForm::kBlock,
          .comment = "# ",
          .text = "[language-server.waferpair]\ncommand = " + quoted(to.waferctl) +
                  "\nargs = [\"lsp\"]\n",
          .use =
              "Name \"waferpair\" in language-servers of each [[language]] that is to have it, "
              "behind those it has.",
          .first = FirstRequest::kLanguageServer};
}

ClientSetup kate(const Connection& to) {
  const auto serverOf = [&](const char* modes) -> Settings {
    return {{"command", Settings::array({to.waferctl, "lsp"})},
            {"url", ""},
            {"highlightingModeRegex", modes}};
  };
  const Settings settings = {{"servers",
                              {{"waferpair-plain", serverOf("^(Normal|None)$")},
                               {"waferpair-cmake", serverOf("^CMake$")},
                               {"waferpair-sql", serverOf("^SQL.*$")}}}};
  return {.name = "kate",
          .title = "Kate",
          .file = inConfigHome("kate/lspclient/settings.json"),
          .form = SettingsForm::kJson,
          .comment = {},
          .text = settings.dump(2) + "\n",
          .use =
              "Kate asks once whether it may start waferctl. It has one language server a mode: "
              "add those that are to have this one, or put it in place of the one that they have. "
              "Its plugin \"LSP Client\" is on unless you turned it off.",
          .first = FirstRequest::kLanguageServer};
}

struct Client {
  std::string_view name;
  ClientSetup (*setup)(const Connection&);
};

constexpr Client kClients[] = {
    {"codex", codex},       {"zed", zed},       {"vim", vim},
    {"neovim", neovim},     {"vscode", vscode}, {"continue", continueDev},
    {"opencode", opencode}, {"emacs", emacs},   {"helix", helix},
    {"kate", kate},
};

}  // namespace

std::vector<std::string> clientNames() {
  std::vector<std::string> names;
  for (const Client& client : kClients) names.emplace_back(client.name);
  return names;
}

ClientSetup clientSetup(std::string_view name, const Connection& connection) {
  const auto* found = std::ranges::find(kClients, name, &Client::name);
  assert(found != std::end(kClients));
  ClientSetup setup = found->setup(connection);
  setup.holdsToken =
      !connection.token.empty() && setup.text.find(connection.token) != setup.text.npos;
  return setup;
}

}  // namespace waferpair::waferctl
