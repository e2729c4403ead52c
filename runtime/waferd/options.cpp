// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferd/options.h"

#include <CLI/CLI.hpp>

#include "runtime/server/core/version.h"
#include "runtime/wafer/cost/profile.h"
#include "runtime/wafer/machine/data.h"
#include "runtime/wafer/machine/machine.h"
#include "runtime/wafer/plan/shape.h"
#include "runtime/waferd/exit_codes.h"

namespace waferpair::waferd {

std::optional<Options> parseOptions(int argc, char** argv, int& exitCode) {
  Options options;
  CLI::App app(
      "Serves a code model, compiled for an emulated wafer, on a port of this computer alone.\n"
      "When it listens it prints one line of JSON: port, token_file, pid. The model is loaded\n"
      "after that; docs/protocol.md describes what clients may say.",
      "waferd");
  app.set_version_flag("--version", std::string(server::kServerName));
  app.add_option("--model", options.model, "GGUF file (llama architecture, byte-pair tokenizer)")
      ->required()
      ->type_name("FILE");
  app.add_option("--host", options.listen.host, "127.0.0.1, ::1 or localhost")
      ->capture_default_str();
  app.add_option("--port", options.listen.port, "0 takes any that is free")->capture_default_str();
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
  std::size_t kvMebibytes = 0;
  app.add_option("--kv-memory", kvMebibytes,
                 "MiB of memory for keys and values of all sequences; 0: what four of full length\n"
                 "need, at most 512")
      ->capture_default_str()
      ->check(CLI::Range(0, 1 << 20));
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
                 "one start to the next; only you can read it")
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
  app.add_option(
         "--shadow", options.shadow,
         "show what a larger model would do, stepped by this one's tokens: a SHAPE.json, or\n" +
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
  try {
    app.parse(argc, argv);
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
  options.compile.kvBytes = kvMebibytes << 20;
  options.compile.kvFormat = tensor::findKvFormat(kvFormat).value_or(options.compile.kvFormat);
  const bool keep = onBadModel.empty() ? options.parentPid > 0 : onBadModel == "keep";
  options.onBadModel = keep ? OnBadModel::kKeep : OnBadModel::kExit;
  return options;
}

}  // namespace waferpair::waferd
