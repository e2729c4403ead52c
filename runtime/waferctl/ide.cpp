// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/ide.h"

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "runtime/waferctl/commands.h"
#include "runtime/waferctl/ide_client.h"

namespace waferpair::waferctl {
namespace {

using Json = nlohmann::json;

// The socket and the printing of answers, which the subcommands share.
struct Ide {
  std::string socket;

  Json call(const std::string& method, const Json& params = Json::object()) const {
    const auto found = socket.empty() ? findIdeSocket() : base::Result<std::string>(socket);
    if (!found) giveUp(found.error());
    auto client = IdeClient::connect(*found);
    if (!client) giveUp(client.error());
    auto answer = client->call(method, params);
    if (!answer) giveUp(answer.error());
    return *std::move(answer);
  }

  static void print(const Json& answer) {
    if (answer != Json::object())
      std::cout << answer.dump(2, ' ', false, Json::error_handler_t::replace) << std::endl;
  }
};

// Values of a subcommand outlive its parsing.
template <typename T = std::string>
std::shared_ptr<T> kept(T initial = {}) {
  return std::make_shared<T>(std::move(initial));
}

Json parsed(const std::string& text, const std::string& what) {
  Json value = Json::parse(text, nullptr, false);
  if (value.is_discarded())
    giveUp({what + " is not JSON: " + text, "Quote it for the shell: '{\"text\": true}'."}, kUsage);
  return value;
}

// A name, or JSON for a path of several steps.
Json elementOf(const std::string& text) {
  const bool isJson = !text.empty() && (text.front() == '[' || text.front() == '{');
  return isJson ? parsed(text, "The element") : Json(text);
}

void printCommands(const Json& commands) {
  for (const Json& command : commands) {
    std::cout << command.value("id", "") << '\t' << command.value("title", "") << '\t'
              << command.value("keys", "") << (command.value("enabled", false) ? "" : "\t(not now)")
              << '\n';
  }
}

void addAnswers(CLI::App* ide, const std::shared_ptr<Ide>& window) {
  CLI::App* commands = ide->add_subcommand("commands", "Lists the commands: id, title, keys");
  auto asJson = kept<bool>();
  commands->add_flag("--json", *asJson, "print JSON");
  commands->callback([window, asJson] {
    const Json list = window->call("commands");
    *asJson ? Ide::print(list) : printCommands(list);
  });

  CLI::App* state = ide->add_subcommand("state", "Prints what is open and shown, as JSON");
  auto at = kept();
  state->add_option("AT", *at, "only this part, a JSON pointer: /document/ghost");
  state->callback([window, at] { Ide::print(window->call("state", {{"at", *at}})); });

  CLI::App* text = ide->add_subcommand("text", "Prints the text of a document");
  auto path = kept();
  text->add_option("FILE", *path, "an open file; the one in front if none is named");
  text->callback([window, path] {
    const std::string file = path->empty() ? "" : std::filesystem::absolute(*path).string();
    std::cout << window->call("text", {{"path", file}}).value("text", "") << std::flush;
  });

  CLI::App* tree = ide->add_subcommand("tree", "Prints the accessible tree, as JSON");
  auto element = kept();
  auto depth = kept<int>(64);
  tree->add_option("ELEMENT", *element, "only below it: a name, or a path as JSON");
  tree->add_option("--depth", *depth, "levels")->check(CLI::Range(1, 64))->capture_default_str();
  tree->callback([window, element, depth] {
    Json params = {{"depth", *depth}};
    if (!element->empty()) params["element"] = elementOf(*element);
    Ide::print(window->call("tree", params));
  });
}

void addActs(CLI::App* ide, const std::shared_ptr<Ide>& window) {
  // One word or text, as the parameter of a method.
  const auto one = [&](const char* name, const char* help, const char* what, const char* param) {
    CLI::App* command = ide->add_subcommand(name, help);
    auto value = kept();
    command->add_option(what, *value)->required();
    command->callback([window, value, name, param] {
      Ide::print(window->call(name, {{param, *value}}));
    });
  };
  one("run", "Runs a command by its id", "ID", "command");
  one("key", "Presses a key: Ctrl+Shift+P", "KEY", "keys");
  one("type", "Types a text", "TEXT", "text");
  for (const auto& [name, help] : {std::pair("click", "Clicks an element"),
                                   std::pair("doubleClick", "Double-clicks an element")}) {
    CLI::App* command = ide->add_subcommand(name, help);
    auto element = kept();
    command->add_option("ELEMENT", *element, "its accessible name, or a path as JSON")->required();
    command->callback([window, element, method = std::string(name)] {
      Ide::print(window->call(method, {{"element", elementOf(*element)}}));
    });
  }

  CLI::App* open = ide->add_subcommand("open", "Opens a folder or a file");
  auto path = kept();
  auto line = kept<int>();
  open->add_option("PATH", *path)->required();
  open->add_option("--line", *line, "and goes there")->check(CLI::PositiveNumber);
  open->callback([window, path, line] {
    Json params = {{"path", std::filesystem::absolute(*path).string()}};
    if (*line > 0) params["line"] = *line;
    Ide::print(window->call("open", params));
  });

  CLI::App* screenshot = ide->add_subcommand("screenshot", "Saves a picture of the window (PNG)");
  auto file = kept();
  auto element = kept();
  screenshot->add_option("FILE", *file)->required();
  screenshot->add_option("--element", *element, "of this alone: a name, or a path as JSON");
  screenshot->callback([window, file, element] {
    Json params = {{"file", std::filesystem::absolute(*file).string()}};
    if (!element->empty()) params["element"] = elementOf(*element);
    window->call("screenshot", params);
  });

  CLI::App* quit = ide->add_subcommand("quit", "Ends the program");
  auto atOnce = kept<bool>();
  quit->add_flag("--at-once", *atOnce, "ask nothing; unsaved texts are kept for the next start");
  quit->callback([window, atOnce] { window->call("quit", {{"at_once", *atOnce}}); });
}

void addWait(CLI::App* ide, const std::shared_ptr<Ide>& window) {
  CLI::App* wait = ide->add_subcommand("wait", "Waits until the window is idle, or as described");
  auto what = kept<std::string>("idle");
  auto equals = kept();
  auto contains = kept();
  auto seconds = kept<double>(30);
  wait->add_option("WHAT", *what, "idle, or a JSON pointer into the state: /model/state")
      ->capture_default_str();
  wait->add_option("--equals", *equals, "until it is this (JSON, or a text)");
  wait->add_option("--contains", *contains, "until it contains this text");
  wait->add_option("--timeout", *seconds, "seconds")
      ->check(CLI::Range(0.0, 600.0))
      ->capture_default_str();
  wait->callback([=] {
    Json params = {{"timeout_ms", static_cast<int>(*seconds * 1000)}};
    if (*what != "idle") params["at"] = *what;
    if (!equals->empty()) {
      const Json value = Json::parse(*equals, nullptr, false);
      params["equals"] = value.is_discarded() ? Json(*equals) : value;
    }
    if (!contains->empty()) params["contains"] = *contains;
    window->call("wait", params);
  });

  CLI::App* call = ide->add_subcommand("call", "Calls any method of docs/automation.md");
  auto method = kept();
  auto params = kept<std::string>("{}");
  call->add_option("METHOD", *method)->required();
  call->add_option("PARAMS", *params, "a JSON object")->capture_default_str();
  call->callback(
      [window, method, params] { Ide::print(window->call(*method, parsed(*params, "PARAMS"))); });
}

}  // namespace

CLI::App* addIdeCommand(CLI::App& app) {
  CLI::App* ide = app.add_subcommand("ide", "Drives a window that was started with --automation");
  auto window = std::make_shared<Ide>();
  ide->add_option("--socket", window->socket, "of the window, where several can be driven")
      ->type_name("FILE");
  ide->require_subcommand(1);
  addAnswers(ide, window);
  addActs(ide, window);
  addWait(ide, window);
  return ide;
}

}  // namespace waferpair::waferctl
