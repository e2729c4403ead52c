// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferd/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <set>
#include <string_view>

#include "runtime/server/core/version.h"
#include "runtime/wafer/cost/profile.h"
#include "runtime/wafer/machine/data.h"
#include "runtime/wafer/machine/machine.h"
#include "runtime/wafer/plan/shape.h"
#include "runtime/waferctl/option_table.h"
#include "runtime/waferd/exit_codes.h"

namespace waferpair::waferd {
namespace {

constexpr int kUsualIdleMinutes = 10;
constexpr std::size_t kMostMebibytes = std::size_t{1} << 20;

bool isName(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == '-' || c == '_';
  });
}

// "NAME=" in front of the rest, if there is such a thing.
std::string takeName(std::string& argument) {
  const std::size_t at = argument.find('=');
  if (at == argument.npos || !isName(std::string_view(argument).substr(0, at))) return {};
  std::string name = argument.substr(0, at);
  argument.erase(0, at + 1);
  return name;
}

// Throws what CLI11 tells the user.
void checkNames(const Options& options) {
  std::set<std::string> names;
  for (const server::ModelSource& source : options.models)
    if (!source.name.empty() && !names.insert(source.name).second)
      throw CLI::ValidationError("--model", "names two models " + source.name);
  if (options.models.size() > server::Models::kMost)
    throw CLI::ValidationError(
        "--model", "names more than " + std::to_string(server::Models::kMost) + " models");
  for (const auto& [name, bytes] : options.kvBytes)
    if (!names.count(name))
      throw CLI::ValidationError("--kv-memory", "names " + name + ", which no --model does");
}

// After the models, to which they belong.
void readAdapters(const std::vector<std::string>& arguments, Options& options) {
  std::error_code ignored;
  for (std::string argument : arguments) {
    const std::string name =
        std::filesystem::exists(argument, ignored) ? std::string() : takeName(argument);
    const auto model = std::ranges::find(options.models, name, &server::ModelSource::name);
    if (!name.empty() && model == options.models.end())
      throw CLI::ValidationError("--adapter", "names " + name + ", which no --model does");
    auto adapter = transformer::parseAdapterFile(argument);
    if (!adapter) throw CLI::ValidationError("--adapter", adapter.error().message());
    (name.empty() ? options.models.front() : *model).adapters.push_back(std::move(*adapter));
  }
}

void readKvMemory(const std::vector<std::string>& arguments, Options& options) {
  for (std::string argument : arguments) {
    const std::string name = takeName(argument);
    std::size_t mebibytes = 0;
    const char* end = argument.data() + argument.size();
    const auto [at, error] = std::from_chars(argument.data(), end, mebibytes);
    if (error != std::errc() || at != end || mebibytes > kMostMebibytes)
      throw CLI::ValidationError("--kv-memory", argument + " is no number of MiB");
    (name.empty() ? options.compile.kvBytes : options.kvBytes[name]) = mebibytes << 20;
  }
}

}  // namespace

server::ModelSource modelSourceOf(const std::string& argument) {
  std::error_code ignored;
  if (std::filesystem::exists(argument, ignored)) return {argument};
  std::string file = argument;
  std::string name = takeName(file);
  return {std::move(file), std::move(name)};
}

std::optional<Options> parseOptions(int argc, char** argv, int& exitCode) {
  Options options;
  CLI::App app(
      "Serves a code model, compiled for an emulated wafer, on a port of this computer alone.\n"
      "When it listens it prints one line of JSON: port, token_file, pid. The first model is\n"
      "loaded after that, others when they are first asked for; docs/protocol.md describes what\n"
      "clients may say.",
      "waferd");
  app.set_version_flag("-V,--version", std::string(server::kServerName));
  std::vector<std::string> models;
  app.add_option("--model", models,
                 "GGUF file, and the name by which requests ask for it (without: the name in the\n"
                 "file). May be given several times: the first is for requests without a name")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("[NAME=]FILE");
  app.add_option("--models-dir", options.modelsFolder,
                 "folder whose GGUF files are offered as well, by their names; clients may copy\n"
                 "and delete models there, and nowhere else")
      ->check(CLI::ExistingDirectory)
      ->type_name("FOLDER");
  std::vector<std::string> adapters;
  app.add_option(
         "--adapter", adapters,
         "GGUF file of a low-rank adapter (LoRA) that is added to the weights of the model\n"
         "of that name, or of the first, times FACTOR (1). May be given several times")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("[NAME=]FILE[:FACTOR]");
  std::size_t memoryMebibytes = 0;
  app.add_option("--memory", memoryMebibytes,
                 "MiB for all models together: one that is not at work makes room for one that is\n"
                 "asked for, and one that cannot fit is refused. 0: what the computer has free")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{0}, kMostMebibytes));
  std::optional<int> idleMinutes;
  app.add_option("--idle-minutes", idleMinutes,
                 "after which a model that nobody asks for gives its memory back, and is loaded\n"
                 "again by its next request; 0: never (default: " +
                     std::to_string(kUsualIdleMinutes) + ", but never the first)")
      ->check(CLI::Range(0, 1 << 20));
  app.add_option("--host", options.listen.host, "127.0.0.1, ::1 or localhost")
      ->capture_default_str()
      ->check([](const std::string& host) {
        const bool isLocal = host == "localhost" || host == "::1" || host.starts_with("127.");
        return isLocal ? std::string() : host + " is not an address of this computer alone";
      });
  app.add_option("--port", options.listen.port,
                 "0 takes any that is free (default: " + std::to_string(server::kUsualPort) +
                     " if that is free, else any)")
      ->envname("WAFERD_PORT");
  app.add_option("--token-file", options.listen.tokenFile,
                 "where the access token goes (default: $XDG_RUNTIME_DIR/waferpair/PORT.token, or\n"
                 "~/.local/state/waferpair/servers/PORT.token)");
  app.add_option("--threads", options.compile.threads,
                 "0: what the model is worth, at most one a core")
      ->capture_default_str()
      ->check(CLI::Range(0, 256));
  app.add_option("--context", options.compile.context,
                 "positions of a sequence; 0: as many as the model was trained for")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  std::vector<std::string> kvMemory;
  app.add_option("--kv-memory", kvMemory,
                 "MiB of memory for keys and values of all sequences of each model, or of the one\n"
                 "of that name, and for its stored responses; 0, or none: what four sequences of\n"
                 "full length need, at most 512")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("[NAME=]MIB");
  std::string kvFormat = tensor::kvFormatName(options.compile.kvFormat);
  app.add_option("--kv-format", kvFormat,
                 "how they are kept; q8_0 takes half the memory and rounds them more")
      ->capture_default_str()
      ->check(CLI::IsMember({tensor::kvFormatName(tensor::KvFormat::kF16),
                             tensor::kvFormatName(tensor::KvFormat::kQ8_0)}));
  app.add_option("--kv-reuse", options.engine.reuseRun,
                 "tokens: where at least so many in a row stand elsewhere since an edit, they are\n"
                 "moved in the cache and not computed again; quicker, but the text is no longer\n"
                 "exactly what the model would say. 0: never. Needs --kv-format f16")
      ->capture_default_str()
      ->check(CLI::Range(0, 1 << 20));
  app.add_option("--session-cache", options.engine.session.file,
                 "file that keeps up to 64 MiB of keys and values, and the text they are of, from\n"
                 "one start to the next; only you can read it. Other models than the first have\n"
                 "files of their own beside it, FILE.NAME")
      ->type_name("FILE");
  int activationBits = 0;
  app.add_option("--activations", activationBits,
                 "bits of activations where weights are quantized, 8 or 16; 0: 16 where the model\n"
                 "is small enough to be quick with them too")
      ->capture_default_str()
      ->check(CLI::IsMember({0, 8, 16}));
  app.add_option("--machine", options.compile.machine, "the emulated machine")
      ->capture_default_str()
      ->check(CLI::IsMember(wafer::machineNames()));
  app.add_option("--profile", options.compile.profile,
                 "kernel profile that cycles come from (default: the machine's)")
      ->check(CLI::IsMember(wafer::profileNames()));
  app.add_option("--clock", options.compile.clockGhz,
                 "of the wafer, in GHz (default: the profile's)")
      ->check(CLI::Range(0.01, 100.0));
  app.add_option("--shadow", options.shadow,
                 "show what a larger model would do, stepped by the first one's tokens: a "
                 "SHAPE.json, or\n" +
                     wafer::joinNames(wafer::shapeNames()))
      ->type_name("SHAPE");
  app.add_flag_callback(
      "--no-speculation", [&options] { options.engine.speculation = inference::Speculation::kOff; },
      "decode token by token: slower where text repeats itself, and the same text");
  bool reproducible = false;
  app.add_flag("--reproducible", reproducible,
               "the same requests one after another give the same answers and telemetry to the\n"
               "byte: one thread, token by token, one frame a burst; host times are left out");
  app.add_option("--parent-pid", options.parentPid,
                 "end when this process ends (a bad model is then reported, not fatal)")
      ->check(CLI::PositiveNumber);
  app.add_option("--idle-exit", options.idleExitSeconds,
                 "end after this many seconds without a session; 0: never")
      ->capture_default_str()
      ->check(CLI::Range(0, 1 << 30));
  std::string onBadModel;
  app.add_option("--on-bad-model", onBadModel,
                 "exit (with code 3), or keep serving the reason (default: exit, but keep with\n"
                 "--parent-pid)")
      ->check(CLI::IsMember({"exit", "keep"}));
  app.add_option("--log", options.log, "file for a line a notable event; - is standard error");
  app.footer(
      "Exit codes: 0 ended as asked, 1 cannot listen, 2 wrong usage, 3 the model cannot be used.");
  if (waferctl::wantsOptionTable(argc, argv)) {
    std::cout << waferctl::optionTable(app, std::string(server::kVersion));
    exitCode = kSuccess;
    return std::nullopt;
  }
  try {
    if (argc == 2 && std::string_view(argv[1]) == "help") throw CLI::CallForHelp();
    app.parse(argc, argv);
    // Asked for last, so that what else is wrong is told.
    if (models.empty()) throw CLI::RequiredError("--model");
    for (const std::string& model : models) options.models.push_back(modelSourceOf(model));
    readAdapters(adapters, options);
    readKvMemory(kvMemory, options);
    checkNames(options);
    if (reproducible) {
      options.compile.threads = 1;
      options.engine.speculation = inference::Speculation::kOff;
      options.engine.reproducible = true;
    }
    if (options.engine.reuseRun > 0 && kvFormat != tensor::kvFormatName(tensor::KvFormat::kF16))
      throw CLI::ValidationError("--kv-reuse", "needs --kv-format f16");
  } catch (const CLI::ParseError& error) {
    exitCode = app.exit(error) == 0 ? kSuccess : kUsage;
    return std::nullopt;
  }
  options.compile.activations = tensor::findActivations(activationBits);
  options.memory.limitBytes = std::uint64_t{memoryMebibytes} << 20;
  options.memory.firstIdle = std::chrono::minutes(idleMinutes.value_or(0));
  options.memory.othersIdle = std::chrono::minutes(idleMinutes.value_or(kUsualIdleMinutes));
  options.compile.kvFormat = tensor::findKvFormat(kvFormat).value_or(options.compile.kvFormat);
  const bool keep = onBadModel.empty() ? options.parentPid > 0 : onBadModel == "keep";
  options.onBadModel = keep ? OnBadModel::kKeep : OnBadModel::kExit;
  return options;
}

}  // namespace waferpair::waferd
