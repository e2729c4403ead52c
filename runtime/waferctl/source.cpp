// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/source.h"

#include <filesystem>

#include "runtime/server/core/token_file.h"
#include "runtime/wafer/cost/profile.h"
#include "runtime/wafer/machine/machine.h"
#include "runtime/waferctl/local_source.h"
#include "runtime/waferctl/remote_source.h"
#include "runtime/waferctl/strict_source.h"

namespace waferpair::waferctl {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModelFile = "waferpair-mini.gguf";

}  // namespace

base::Result<std::optional<server::RunningServer>> findServer(const SourceFlags& flags) {
  if (!flags.tokenFile.empty()) {
    if (flags.port == 0)
      return base::fail("--token-file needs --port.", "waferd prints both when it starts.");
    auto token = server::readToken(flags.tokenFile);
    if (!token) return tl::unexpected(token.error());
    return server::RunningServer{flags.port, std::move(*token)};
  }
  for (server::RunningServer& running : server::runningServers())
    if (flags.port == 0 || running.port == flags.port) return std::move(running);
  if (flags.port != 0)
    return base::fail("No waferd of yours runs on port " + std::to_string(flags.port) + ".",
                      "\"waferctl status\" lists those that run.");
  return std::nullopt;
}

base::Result<std::string> defaultModel() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  // Installed: PREFIX/bin and PREFIX/share. Built: somewhere below the source tree.
  const fs::path installed =
      program.parent_path().parent_path() / "share/waferpair/models" / kModelFile;
  if (fs::exists(installed, error)) return installed.string();
  for (fs::path folder = program.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    const fs::path built = folder / "resources/models" / kModelFile;
    if (fs::exists(built, error)) return built.string();
  }
  return base::fail("The default model " + std::string(kModelFile) +
                        " is neither in a resources/models above " + program.string() + " nor at " +
                        installed.string() + ".",
                    "Name a GGUF file with --model.");
}

CLI::Option* addAdapterOption(CLI::App& command, std::vector<transformer::AdapterFile>& adapters) {
  return command
      .add_option_function<std::vector<std::string>>(
          "--adapter",
          [&adapters](const std::vector<std::string>& arguments) {
            for (const std::string& argument : arguments) {
              auto adapter = transformer::parseAdapterFile(argument);
              if (!adapter) throw CLI::ValidationError("--adapter", adapter.error().message());
              adapters.push_back(std::move(*adapter));
            }
          },
          "GGUF file of a low-rank adapter (LoRA) that is added to the model's weights, times\n"
          "FACTOR (1). May be given several times")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("FILE[:FACTOR]");
}

void addSourceFlags(CLI::App& command, SourceFlags& flags) {
  const std::string server = "A waferd that runs (else the model is loaded by waferctl itself)";
  const std::string local = "Without a waferd";
  command.add_option("--port", flags.port, "of the waferd to ask, where several run")
      ->group(server);
  command
      .add_option("--token-file", flags.tokenFile,
                  "of that waferd, where it is not in the usual place")
      ->group(server);
  command.add_option("--model", flags.model, "GGUF file to load here (no waferd is asked)")
      ->type_name("FILE")
      ->group(local);
  addAdapterOption(command, flags.adapters)->needs("--model")->group(local);
  command.add_option("--threads", flags.threads, "0: what the model is worth, at most one a core")
      ->capture_default_str()
      ->group(local);
  command
      .add_option(
          "--activations", flags.activationBits,
          "bits of activations where weights are quantized, 8 or 16; 0: 16 for small models")
      ->capture_default_str()
      ->check(CLI::IsMember({0, 8, 16}))
      ->group(local);
  command.add_option("--machine", flags.machine, "the emulated machine")
      ->capture_default_str()
      ->check(CLI::IsMember(wafer::machineNames()))
      ->group(local);
  command.add_option("--profile", flags.profile, "kernel profile that cycles come from")
      ->check(CLI::IsMember(wafer::profileNames()))
      ->group(local);
  command.add_option("--clock", flags.clockGhz, "of the wafer, in GHz (default: the profile's)")
      ->check(CLI::Range(0.01, 100.0))
      ->group(local);
}

base::Result<std::unique_ptr<Source>> openSource(const SourceFlags& flags) {
  if (flags.model.empty() && flags.mode == Mode::kFast && !flags.here) {
    const auto server = findServer(flags);
    if (!server) return tl::unexpected(server.error());
    if (*server) return RemoteSource::connect(**server);
  }
  inference::CompileOptions options;
  options.adapters = flags.adapters;
  options.threads = flags.threads;
  options.activations = tensor::findActivations(flags.activationBits);
  options.machine = flags.machine;
  options.profile = flags.profile;
  options.clockGhz = flags.clockGhz;
  const auto model = flags.model.empty() ? defaultModel() : flags.model;
  if (!model) return tl::unexpected(model.error());
  switch (flags.mode) {
    case Mode::kStrict:
      return StrictSource::load(*model, options);
    case Mode::kSimulated:
      return StrictSource::loadSimulated(*model, options, flags.region);
    case Mode::kFast:
      break;
  }
  return LocalSource::load(*model, options);
}

}  // namespace waferpair::waferctl
