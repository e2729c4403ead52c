// SPDX-License-Identifier: GPL-3.0-or-later
// How other editors and tools are set up to use a waferd: for each the file, what belongs into it,
// and what then asks for what.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace waferpair::waferctl {

// What a client needs to know.
struct Connection {
  std::string address;  // "http://127.0.0.1:8930"
  std::string token;
  std::string model;     // the name that requests give
  int context = 0;       // tokens; 0: not known
  std::string waferctl;  // the path of this program
};

// The requests that a client sends first of all.
enum class FirstRequest { kResponses, kChat, kInfill, kLanguageServer };

// How a file of settings takes in what belongs into it.
enum class SettingsForm {
  kOwnFile,  // nothing else is in it
  kBlock,    // between two lines of comment, among what else is in it
  kJson,     // an object whose members are put into that of the file
};

struct ClientSetup {
  std::string name;   // "codex": what the command line calls it
  std::string title;  // "Codex"
  std::string file;   // its path; empty where the user's home is not known
  SettingsForm form = SettingsForm::kOwnFile;
  std::string comment;  // begins a line of comment; with kBlock
  std::string text;
  std::string use;  // what the user does then
  FirstRequest first = FirstRequest::kChat;
  bool holdsToken = false;  // `text` does: the file is for its user's eyes alone
};

// In the order of a list.
std::vector<std::string> clientNames();
// `name` is one of these.
ClientSetup clientSetup(std::string_view name, const Connection& connection);

}  // namespace waferpair::waferctl
