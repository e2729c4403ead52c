// SPDX-License-Identifier: GPL-3.0-or-later
// make_scripted_model FILE: a model that says what the JSON object on the standard input tells:
// {"says": [text, ...], "template": text, "controls": [text, ...], "user_defined": [text, ...],
// "context": number, "name": text, "says_behind": {control: [text, ...]}}. All but "says" may be
// missing.
#include <iostream>
#include <nlohmann/json.hpp>

#include "tests/support/scripted_model.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: make_scripted_model FILE < SCRIPT.json\n";
    return 2;
  }
  waferpair::test::ScriptedModel model;
  try {
    const auto script = nlohmann::json::parse(std::cin);
    model.says = script.at("says").get<std::vector<std::string>>();
    model.saysBehind = script.value("says_behind", model.saysBehind);
    model.chatTemplate = script.value("template", model.chatTemplate);
    model.controls = script.value("controls", model.controls);
    model.userDefined = script.value("user_defined", model.userDefined);
    model.contextLength = script.value("context", model.contextLength);
    model.name = script.value("name", model.name);
  } catch (const nlohmann::json::exception& wrong) {
    std::cerr << "make_scripted_model: " << wrong.what() << '\n';
    return 2;
  }
  if (const auto written = writeScriptedModel(argv[1], model); !written) {
    std::cerr << "make_scripted_model: " << written.error().message() << '\n';
    return 1;
  }
  return 0;
}
