// SPDX-License-Identifier: GPL-3.0-or-later
// Writes small models that say a given text, whatever they are asked: for tests of how answers are
// read, streamed and cut. They have one layer, which adds nothing, and each token has one
// successor.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace waferpair::test {

struct ScriptedModel {
  // What it says, token by token, before it ends. A piece that is the name of a marker is that
  // token, the first time; any other is a token of its own with these bytes, which no prompt has.
  std::vector<std::string> says = {};
  // It says this instead where a prompt ends with one of the control tokens: pieces that are tokens
  // of their own. A template chooses by it, such as by how many turns went before.
  std::map<std::string, std::vector<std::string>> saysBehind = {};
  std::string chatTemplate = {};
  std::vector<std::string> controls = {};     // control tokens
  std::vector<std::string> userDefined = {};  // tokens that are found in any text
  int contextLength = 4096;
  std::string name = "scripted";
};

base::Result<void> writeScriptedModel(const std::string& path, const ScriptedModel& model);

}  // namespace waferpair::test
