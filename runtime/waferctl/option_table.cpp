// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/option_table.h"

#include <nlohmann/json.hpp>
#include <string_view>

namespace waferpair::waferctl {
namespace {

using OptionJson = nlohmann::ordered_json;

// "TEXT:{f16,q8_0}" has two.
OptionJson choicesIn(const std::string& type) {
  OptionJson choices = OptionJson::array();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open == type.npos ? type.size() : open);
  if (close == type.npos) return choices;
  for (const std::string& each : CLI::detail::split(type.substr(open + 1, close - open - 1), ','))
    choices.push_back(each);
  return choices;
}

OptionJson describeOption(const CLI::Option& option) {
  OptionJson names = OptionJson::array();
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  const std::string type = option.get_type_name();
  OptionJson value = option.get_items_expected_max() == 0 ? "" : type.substr(0, type.find(':'));
  return {{"names", names},
          {"value", value},
          {"choices", choicesIn(type)},
          {"default", option.get_default_str()},
          {"help", option.get_description()}};
}

OptionJson describeCommand(const CLI::App& app) {
  OptionJson table = {{"name", app.get_name()},         {"description", app.get_description()},
                      {"footer", app.get_footer()},     {"positionals", OptionJson::array()},
                      {"options", OptionJson::array()}, {"commands", OptionJson::array()}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    if (option->get_positional()) {
      table["positionals"].push_back({{"name", option->get_name(true)},
                                      {"help", option->get_description()},
                                      {"choices", choicesIn(option->get_type_name())}});
    } else {
      table["options"].push_back(describeOption(*option));
    }
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) table["commands"].push_back(describeCommand(*command));
  return table;
}

}  // namespace

bool wantsOptionTable(int argc, char** argv) {
  return argc == 2 && std::string_view(argv[1]) == "--describe-options";
}

std::string optionTable(const CLI::App& app, const std::string& version) {
  OptionJson table = describeCommand(app);
  table["version"] = version;
  return table.dump(2, ' ', false, OptionJson::error_handler_t::replace) + "\n";
}

}  // namespace waferpair::waferctl
