// SPDX-License-Identifier: GPL-3.0-or-later
// waferctl, the command line: asks a waferd that runs, or does the same in this process.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/server/core/version.h"
#include "runtime/waferctl/catalog.h"
#include "runtime/waferctl/commands.h"
#include "runtime/waferctl/estimate.h"
#include "runtime/waferctl/experiment.h"
#include "runtime/waferctl/ide.h"
#include "runtime/waferctl/option_table.h"
#include "runtime/waferctl/place.h"

namespace waferpair::waferctl {

namespace {

// CLI11 would only say that a subcommand is missing.
bool namesUnknownCommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-' || std::string_view(argv[1]) == "help") return false;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (command->get_name() == argv[1]) return false;
  return true;
}

int run(int argc, char** argv) {
  CLI::App app("Uses a code model that is compiled for an emulated wafer.", "waferctl");
  app.set_version_flag("-V,--version", "waferctl " + std::string(server::kVersion));
  app.require_subcommand(0, 1);
  addCompleteCommand(app);
  addGenerateCommand(app);
  addBenchCommand(app);
  addStatusCommand(app);
  addPlaceCommand(app);
  addEstimateCommand(app);
  addCatalogCommands(app);
  addExperimentCommands(app);
  addInspectCommand(app);
  addQuantizeCommand(app);
  addPerplexityCommand(app);
  addTraceCommand(app);
  addMeshCommand(app);
  addIdeCommand(app);
  addLspCommand(app);
  addConnectCommand(app);
  app.footer(
      "Host figures are measured on this computer; wafer figures are emulated, with the kernel\n"
      "profile and clock they name. \"waferctl COMMAND --help\" says more.\n"
      "Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.");
  if (wantsOptionTable(argc, argv)) {
    std::cout << optionTable(app, std::string(server::kVersion));
    return 0;
  }
  try {
    if (namesUnknownCommand(app, argc, argv))
      giveUp({"There is no command \"" + std::string(argv[1]) + "\".",
              "\"waferctl --help\" lists those there are."},
             kUsage);
    // "waferctl help COMMAND" is what many programs have for "waferctl COMMAND --help".
    std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!arguments.empty() && arguments.front() == "help") {
      std::ranges::rotate(arguments, arguments.begin() + 1);
      arguments.back() = "--help";
    }
    std::ranges::reverse(arguments);
    app.parse(arguments);
    // Asked for last, so that what else is wrong is told.
    if (app.get_subcommands().empty()) throw CLI::RequiredError::Subcommand(1);
    if (!std::cout.flush() || std::fflush(stdout) != 0)
      giveUp({"Standard output could not be written whole.", "Make room where it goes."});
    return 0;
  } catch (const CLI::RuntimeError& error) {
    return error.get_exit_code();  // a command has said what is wrong
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsage;
  }
}

}  // namespace
}  // namespace waferpair::waferctl

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error code, not an end
  try {
    return waferpair::waferctl::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "waferctl: " << error.what() << std::endl;
    return waferpair::waferctl::kFailure;
  }
}
