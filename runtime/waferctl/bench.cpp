// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl bench`: how fast the model is here, and how fast the emulated wafer would be.
#include <algorithm>
#include <iostream>
#include <memory>
#include <vector>

#include "runtime/server/core/events.h"
#include "runtime/waferctl/commands.h"
#include "runtime/waferctl/figures.h"

namespace waferpair::waferctl {
namespace {

struct BenchFlags {
  SourceFlags source;
  int promptBytes = 1200;  // about 400 tokens of code
  int tokens = 128;
  int rounds = 5;
  bool noSpeculation = false;
  bool json = false;
};

// Source code of that many bytes, different in each round from its first line on, so that nothing
// of it is in a KV cache.
std::string promptFor(int round, int bytes) {
  std::string text = "// part " + std::to_string(round) + "\n";
  for (int i = 0; static_cast<int>(text.size()) < bytes; ++i) {
    const std::string n = std::to_string(i + 31 * round);
    text += "int step" + n + "(int value) {\n  if (value > " + n + ") return value - " + n +
            ";\n  return value * 2 + " + n + ";\n}\n\n";
  }
  return text;
}

// Null where nothing was measured.
Json median(std::vector<double> values) {
  if (values.empty()) return nullptr;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// One value a round, but for what a model that ends its text at once leaves unmeasured.
struct Rates {
  std::vector<double> prefill, decode, coldFirst, warmFirst, waferDecode, waferFirst;
};

void note(std::vector<double>& values, const Json& value) {
  if (value.is_number()) values.push_back(value.get<double>());
}

base::Result<Json> measure(Source& source, const BenchFlags& flags) {
  Rates rates;
  Json wafer;
  int drafted = 0, accepted = 0, output = 0;
  for (int round = 0; round < flags.rounds; ++round) {
    const std::string prompt = promptFor(round, flags.promptBytes);
    TokenLimits limits;
    limits.maxTokens = flags.tokens;
    limits.speculation = !flags.noSpeculation;
    const auto ignore = [](std::string_view) {};
    const auto cold = source.generate(prompt, limits, ignore);
    if (!cold) return cold;
    const Json& host = cold->at("timings").at("host");
    wafer = cold->at("timings").at("wafer");
    const double computed =
        cold->at("usage").at("input_tokens").get<double>() -
        cold->at("usage").at("input_tokens_details").at("cached_tokens").get<double>();
    if (host.at("prefill_ms").get<double>() > 0)
      rates.prefill.push_back(1000 * computed / host.at("prefill_ms").get<double>());
    const Json& made = cold->at("usage").at("output_tokens_details");
    drafted += made.at("drafted_tokens").get<int>();
    accepted += made.at("accepted_tokens").get<int>();
    output += cold->at("usage").at("output_tokens").get<int>();
    note(rates.decode, host.at("tokens_per_second"));
    note(rates.coldFirst, host.at("first_token_ms"));
    note(rates.waferDecode, wafer.at("tokens_per_second"));
    note(rates.waferFirst, wafer.at("first_token_ms"));

    // This is a request as when one more key is pressed: all but the last token is in the cache.
    limits.maxTokens = 1;
    const auto warm = source.generate(prompt + "x", limits, ignore);
    if (!warm) return warm;
    note(rates.warmFirst, warm->at("timings").at("host").at("first_token_ms"));
  }
  return Json{
      {"model", source.model()},
      {"source", source.name()},
      {"rounds", flags.rounds},
      {"speculation",
       {{"output_tokens", output}, {"drafted_tokens", drafted}, {"accepted_tokens", accepted}}},
      {"host",
       {{"decode_tokens_per_second", median(rates.decode)},
        {"prefill_tokens_per_second", median(rates.prefill)},
        {"first_token_ms", median(rates.coldFirst)},
        {"warm_first_token_ms", median(rates.warmFirst)}}},
      {"wafer",
       {{"decode_tokens_per_second", median(rates.waferDecode)},
        {"first_token_ms", median(rates.waferFirst)},
        {"machine", wafer.at("machine")},
        {"profile", wafer.at("profile")},
        {"clock_hz", wafer.at("clock_hz")}}}};
}

void printBench(const Json& result) {
  const Json& host = result["host"];
  const Json& wafer = result["wafer"];
  const Json& drafts = result["speculation"];
  std::cout << result["model"].value("name", "?") << ", " << result.value("source", "")
            << ", median of " << result["rounds"] << " rounds\n"
            << "this computer\n"
            << "  decode       " << figure(host["decode_tokens_per_second"]) << " tokens/s\n"
            << "  prefill      " << figure(host["prefill_tokens_per_second"]) << " tokens/s\n"
            << "  first token  " << figure(host["first_token_ms"]) << " ms, warm "
            << figure(host["warm_first_token_ms"]) << " ms\n"
            << waferName(wafer) << '\n'
            << "  decode       " << figure(wafer["decode_tokens_per_second"]) << " tokens/s\n"
            << "  first token  " << figure(wafer["first_token_ms"]) << " ms\n"
            << "speculation    " << drafts["accepted_tokens"] << " of " << drafts["output_tokens"]
            << " tokens came from drafts, " << drafts["drafted_tokens"] << " were drafted"
            << std::endl;
}

}  // namespace

CLI::App* addBenchCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench", "Measures the model, here and on the wafer");
  auto flags = std::make_shared<BenchFlags>();
  command->add_option("--prompt-bytes", flags->promptBytes, "of each round's prompt")
      ->capture_default_str()
      ->check(CLI::Range(1, 1 << 20));
  command->add_option("--tokens", flags->tokens, "generated in each round, at most")
      ->capture_default_str()
      ->check(CLI::Range(1, 4096));
  command->add_option("--rounds", flags->rounds, "of which the median is taken")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command->add_flag("--no-speculation", flags->noSpeculation, "decode token by token");
  command->add_flag("--json", flags->json, "print JSON");
  addSourceFlags(*command, flags->source);
  command->callback([flags] {
    const auto source = openSource(flags->source);
    if (!source) giveUp(source.error());
    const auto result = measure(**source, *flags);
    if (!result) giveUp(result.error());
    if (flags->json)
      std::cout << server::dump(*result) << std::endl;
    else
      printBench(*result);
  });
  return command;
}

}  // namespace waferpair::waferctl
