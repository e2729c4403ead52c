// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl complete` and `waferctl generate`: text to standard output as it comes, figures to
// standard error, or both as JSON.
#include <iostream>
#include <iterator>
#include <map>
#include <memory>

#include "runtime/server/core/events.h"
#include "runtime/waferctl/commands.h"
#include "runtime/waferctl/cursor_place.h"
#include "runtime/waferctl/figures.h"

namespace waferpair::waferctl {
namespace {

struct TextFlags {
  SourceFlags source;
  TokenLimits limits;
  std::string input;  // FILE:LINE:COL or the prompt
  std::string trace;  // file to record into; empty: none
  bool json = false;
  bool quiet = false;
};

void addTextFlags(CLI::App& command, TextFlags& flags) {
  command.add_option("--max-tokens", flags.limits.maxTokens, "at most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, 4096));
  command
      .add_option("--temperature", flags.limits.sampling.temperature,
                  "0 takes the likeliest token each time")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 2.0));
  command.add_option("--top-k", flags.limits.sampling.topK, "0: all")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command.add_option("--top-p", flags.limits.sampling.topP, "1: all")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--seed", flags.limits.sampling.seed, "of the random choice")
      ->capture_default_str();
  command.add_flag("--json", flags.json, "print {text, reason, usage, timings, model}");
  command.add_flag("--quiet", flags.quiet, "leave out the figures");
  command
      .add_option(
          "--trace", flags.trace,
          "record what the wafer does into this file, NAME.wptrace (waferctl trace reads it)")
      ->check([](const std::string& path) {
        return path.ends_with(".wptrace") ? std::string() : path + " does not end in .wptrace";
      });
  addSourceFlags(command, flags.source);
}

// Runs `ask` on the source, with a listener that prints as text comes.
template <typename Ask>
void runText(const TextFlags& flags, Ask ask) {
  const auto source = openSource(flags.source);
  if (!source) giveUp(source.error());
  if (!flags.trace.empty()) {
    if (auto started = (*source)->startTrace(flags.trace); !started) giveUp(started.error());
  }
  std::string text;
  const auto outcome = ask(**source, [&](std::string_view added) {
    text += added;
    if (!flags.json) std::cout << added << std::flush;
  });
  if (!flags.json && !text.empty()) std::cout << std::endl;
  Json trace;
  if (!flags.trace.empty()) {
    const auto stopped = (*source)->stopTrace();
    if (!stopped) giveUp(stopped.error());
    trace = *stopped;
  }
  if (!outcome) giveUp(outcome.error());
  if (flags.json) {
    Json printed = *outcome;
    printed["text"] = text;
    printed["model"] = (*source)->model();
    if (trace.is_object()) printed["trace"] = trace;
    std::cout << server::dump(printed) << std::endl;
  } else if (!flags.quiet) {
    std::cerr << describe(*outcome) << std::endl;
    if (trace.is_object())
      std::cerr << "trace: " << trace["steps"] << " steps in " << flags.trace << ", "
                << trace["bytes"] << " bytes" << std::endl;
  }
}

}  // namespace

CLI::App* addCompleteCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("complete", "Suggests text for a place in a file");
  auto flags = std::make_shared<TextFlags>();
  command->add_option("place", flags->input, "FILE:LINE:COL, both from 1, columns in characters")
      ->required();
  command->add_option("--max-lines", flags->limits.maxLines, "0: no limit")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000));
  addTextFlags(*command, *flags);
  command->callback([flags] {
    const auto place = readPlace(flags->input);
    if (!place) giveUp(place.error(), kUsage);
    runText(*flags, [&](Source& source, const OnText& onText) {
      return source.complete(*place, flags->limits, onText);
    });
  });
  return command;
}

CLI::App* addGenerateCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("generate", "Continues a text, or answers a message");
  auto flags = std::make_shared<TextFlags>();
  flags->input = "-";
  flags->limits.maxTokens = 256;
  command->add_option("prompt", flags->input, "the text, or - for standard input")
      ->capture_default_str();
  command->add_flag("--chat", flags->limits.chat,
                    "the text is a message, to be answered as the model's chat template says");
  const std::map<std::string, Mode> modes = {
      {"fast", Mode::kFast}, {"strict", Mode::kStrict}, {"simulated", Mode::kSimulated}};
  command
      ->add_option("--mode", flags->source.mode,
                   "strict: FP16, tile by tile in the order of the PEs' sums; slow. simulated: as "
                   "one program on a region, cycle by cycle, and held to strict; seconds a token")
      ->transform(CLI::CheckedTransformer(modes))
      ->type_name("fast|strict|simulated");
  command->add_option("--region", flags->source.region,
                      "WIDTHxHEIGHT in PEs that is simulated (default: the smallest square that "
                      "holds the model, of sides in eights)");
  command->add_flag("--token-by-token", flags->source.here,
                    "the likeliest token each time, as strict has it, and no end with the block; "
                    "else a model that copies weighs whole lines. Loads the model here");
  addTextFlags(*command, *flags);
  command->callback([flags] {
    flags->limits.byLine = !flags->source.here;
    if (flags->input == "-") flags->input.assign(std::istreambuf_iterator<char>(std::cin), {});
    runText(*flags, [&](Source& source, const OnText& onText) -> base::Result<Json> {
      if (flags->limits.chat && !source.model()["chat"].is_string())
        return base::fail("The model has no chat template that is known.",
                          "Leave out --chat to continue the text.");
      return source.generate(flags->input, flags->limits, onText);
    });
  });
  return command;
}

}  // namespace waferpair::waferctl
