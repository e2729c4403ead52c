// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the gain of drafting: rewriting a file, completing code, and the case where nothing can
// be guessed. Each stands against plain decoding, by turns, so that both see the same machine.
// bench_speculation [FILE.gguf]
//
// On one thread: what others have computed since they were last interrupted, the processor time of
// the process does not have yet.
#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <future>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "runtime/inference/engine/engine.h"
#include "tests/bench/bench_model.h"
#include "tests/support/paths.h"

namespace {

using namespace waferpair;
using bench::giveUp;
using bench::readFile;
using inference::Clock;
using Tokens = std::vector<std::int32_t>;

constexpr int kRounds = 9;
constexpr double kLongMs = 20'000;  // a large model gets fewer rounds, at least 3
constexpr int kContext = 16384;     // of the copy of the model that rewrites

// Milliseconds of this program, of all its threads: other programs' share does not count.
double computed() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Does the work of choosing, then says what the target says.
class Forced : public inference::Sampler {
 public:
  explicit Forced(std::span<const std::int32_t> target) : Sampler({}), target_(target) {}
  int next(std::span<const float> logits) override {
    Sampler::next(logits);
    return said_ < target_.size() ? target_[said_++] : 0;
  }

 private:
  std::span<const std::int32_t> target_;
  std::size_t said_ = 0;
};

struct Run {
  double wall = 0, computing = 0;  // milliseconds
  int tokens = 0, drafted = 0, accepted = 0, steps = 0;
  std::uint64_t cycles = 0;

  Run& operator+=(const Run& run) {
    wall += run.wall;
    computing += run.computing;
    tokens += run.tokens;
    drafted += run.drafted;
    accepted += run.accepted;
    steps += run.steps;
    cycles += run.cycles;
    return *this;
  }
};

const inference::DraftIndex kNoDocuments;

// Says `target` behind `prompt`, which is in `kv` but for its last token, as the engine would if
// that was what the model said.
class Stream {
 public:
  Stream(inference::CompiledModel& model, transformer::KvCache& kv, const Tokens& prompt,
         const Tokens& target, inference::DraftExperience* experience)
      : model_(model),
        kv_(kv),
        forced_(target),
        text_(prompt),
        end_(static_cast<int>(prompt.size() + target.size())) {
    kv_.truncate(static_cast<int>(prompt.size()) - 1);
    if (experience)
      drafter_.emplace(inference::Speculation::kAdaptive, *experience, kNoDocuments, prompt,
                       [](std::int32_t) { return false; });
  }
  bool ended() const { return std::ssize(text_) >= end_; }
  // Decodes at least that many tokens, or all that are left.
  Run say(int tokens) {
    Run run;
    const auto start = Clock::now();
    const double before = computed();
    while (run.tokens < tokens && !ended()) step(run);
    run.computing = computed() - before;
    run.wall = millisecondsSince(start);
    return run;
  }

 private:
  void step(Run& run) {
    fed_ = {text_.back()};
    const int left = end_ - static_cast<int>(text_.size()) - 1;
    if (drafter_) {
      const auto draft = drafter_->propose(text_, std::min(left, model_.chunk() - 1));
      fed_.insert(fed_.end(), draft.begin(), draft.end());
    }
    const int drafted = static_cast<int>(fed_.size()) - 1;
    const double before = inference::computingTime();
    const auto result = model_.step(fed_, kv_, &forced_, drafted);
    const double took = inference::computingTime() - before;
    if (!result) giveUp(result.error());
    const auto from = text_.size();
    text_.insert(text_.end(), fed_.begin() + 1, fed_.begin() + 1 + result->accepted);
    text_.push_back(result->token);
    if (drafter_) drafter_->chose(std::span(text_).subspan(from), took);
    run += {0, 0, result->accepted + 1, drafted, result->accepted, 1, result->cycles};
  }

  inference::CompiledModel& model_;
  transformer::KvCache& kv_;
  Forced forced_;
  std::optional<inference::Drafter> drafter_;
  Tokens text_, fed_;
  int end_;
};

void prefill(inference::CompiledModel& model, transformer::KvCache& kv, const Tokens& prompt) {
  kv.truncate(0);
  const auto chunk = static_cast<std::size_t>(model.chunk());
  for (std::size_t at = 0; at + 1 < prompt.size(); at += chunk) {
    const std::size_t rows = std::min(chunk, prompt.size() - 1 - at);
    if (auto fed = model.step(std::span(prompt).subspan(at, rows), kv, nullptr); !fed)
      giveUp(fed.error());
  }
}

bool goesOn(int round, Clock::time_point begun) {
  return round < kRounds && millisecondsSince(begun) < kLongMs;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Drafting's tokens by plain decoding's, in the same time.
struct Rounds {
  std::vector<double> computing, wall, wafer;
  double plainRate = 0;
  Run last;
  void add(const Run& plain, const Run& drafting) {
    const double tokens = static_cast<double>(drafting.tokens) / plain.tokens;
    computing.push_back(tokens * plain.computing / drafting.computing);
    wall.push_back(tokens * plain.wall / drafting.wall);
    wafer.push_back(tokens * static_cast<double>(plain.cycles) /
                    static_cast<double>(drafting.cycles));
    plainRate = 1000 * plain.tokens / plain.computing;
    last = drafting;
  }
  void print(const char* what, const char* wanted) const {
    const auto [least, most] = std::minmax_element(computing.begin(), computing.end());
    std::printf(
        "%-34s x%.2f (%.2f to %.2f, first %.2f), wall clock x%.2f; wanted %s; wafer x%.2f\n", what,
        median(computing), *least, *most, computing.front(), median(wall), wanted, median(wafer));
    std::printf("    %d tokens in %d steps, %d drafted, %d of them right; plain %.0f tokens/s\n",
                last.tokens, last.steps, last.drafted, last.accepted, plainRate);
  }
};

// Both streams by turns of a few milliseconds, each with a cache of its own.
Rounds measure(inference::CompiledModel& model, const Tokens& prompt, const Tokens& target) {
  constexpr int kTurn = 32;  // tokens
  std::array<transformer::KvCache, 2> kv = {
      *transformer::KvCache::make(model.config(), model.card().context),
      *transformer::KvCache::make(model.config(), model.card().context)};
  for (auto& cache : kv) prefill(model, cache, prompt);
  inference::DraftExperience experience;
  Rounds rounds;
  const auto begun = Clock::now();
  for (int round = 0; round < 3 || goesOn(round, begun); ++round) {
    Stream plain(model, kv[0], prompt, target, nullptr);
    Stream drafting(model, kv[1], prompt, target, &experience);
    Run plainly, drafted;
    while (!plain.ended() || !drafting.ended()) {
      plainly += plain.say(kTurn);
      drafted += drafting.say(kTurn);
    }
    rounds.add(plainly, drafted);
  }
  return rounds;
}

// Time of a step by its rows, all with logits.
void printCosts(inference::CompiledModel& model, transformer::KvCache& kv, int context) {
  const int most = std::min(model.chunk(), 32);
  const Tokens rows(static_cast<std::size_t>(most), 65);
  prefill(model, kv, Tokens(static_cast<std::size_t>(context) + 1, 65));
  inference::Sampler greedy({});
  std::vector<std::vector<double>> times(static_cast<std::size_t>(most));
  constexpr int kInARow = 4;  // alike: what a step finds in the caches depends on the one before
  const auto begun = Clock::now();
  for (int round = 0; round < 2 || (round < 40 && millisecondsSince(begun) < 2000); ++round) {
    for (int i = 0; i < kInARow * most; ++i) {
      const auto n = static_cast<std::size_t>(1 + i / kInARow);
      kv.truncate(context);
      const Tokens right(n, 65);
      Forced forced(right);
      const double start = computed();
      if (auto step = model.step(std::span(rows).first(n), kv, &forced, static_cast<int>(n) - 1);
          !step)
        giveUp(step.error());
      times[n - 1].push_back(computed() - start);
    }
  }
  const double one = median(times[0]);
  std::printf("a step of n tokens at %d positions, by a step of one (%.0f us)\n   ", context,
              1000 * one);
  for (const int n : {2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 24, 32})
    if (n <= most)
      std::printf(" %d: %.2f", n, median(times[static_cast<std::size_t>(n) - 1]) / one);
  std::printf("\n");
}

// The first lines of a file of this repository, and the same with five small changes.
std::pair<std::string, std::string> oldAndNew(int lines) {
  std::string text = readFile(test::sourceDir() + "/runtime/inference/engine/engine.cpp");
  std::size_t end = 0;
  for (int line = 0; line < lines; ++line) end = text.find('\n', end) + 1;
  text.resize(end);
  std::string changed = text;
  const auto lineAt = [&](double share) {
    return changed.find('\n', static_cast<std::size_t>(share * changed.size())) + 1;
  };
  changed.insert(lineAt(0.1), "  // Added.\n");
  changed.erase(lineAt(0.3), changed.find('\n', lineAt(0.3)) + 1 - lineAt(0.3));
  changed.replace(lineAt(0.5), 0, "count += 2;");
  changed.replace(changed.find(' ', lineAt(0.7)) + 1, 2, "other");
  changed.insert(lineAt(0.85), "\n  assert(!stopping_);\n");
  return {text, changed};
}

void benchRewrite(inference::CompiledModel& model, int lines) {
  const auto [before, after] = oldAndNew(lines);
  const Tokens prompt =
      model.tokenizer().encode("Rewrite this file.\n```cpp\n" + before + "```\n\n```cpp\n");
  const Tokens target = model.tokenizer().encode(after);
  if (std::ssize(prompt) + std::ssize(target) > model.card().context) {
    std::printf("rewriting %d lines: too many tokens for a context of %d\n", lines,
                model.card().context);
    return;
  }
  measure(model, prompt, target)
      .print(("rewriting " + std::to_string(lines) + " lines, 5 changes").c_str(), "5");
}

void benchForced(const std::string& path) {
  auto loaded = inference::CompiledModel::load(bench::withLongContext(path, kContext),
                                               {.threads = 1, .sequences = 2});
  if (!loaded) giveUp(loaded.error());
  inference::CompiledModel& model = **loaded;
  auto kv = *transformer::KvCache::make(model.config(), kContext);
  for (const int context : {100, 900, 4000}) printCosts(model, kv, context);
  benchRewrite(model, 40);
  benchRewrite(model, 300);

  std::mt19937 random(1);
  const auto noise = [&](std::size_t size, unsigned kinds) {
    Tokens tokens(size);
    for (auto& token : tokens) token = 300 + static_cast<int>(random() % kinds);
    return tokens;
  };
  measure(model, noise(400, 2000), noise(500, 2000)).print("nothing matches", "0.97 or more");
  measure(model, noise(400, 8), noise(500, 8))
      .print("everything matches, mostly wrong", "0.97 or more");
}

Run runOf(const inference::JobReport& report) {
  return {report.decodeMs,         0,
          report.decodeTokens,     report.draftedTokens,
          report.acceptedTokens,   report.decodeSteps,
          report.waferDecodeCycles};
}

Run complete(inference::Engine& engine, const std::string& name, const std::string& text,
             std::size_t offset, bool speculation) {
  const auto window = engine.window(text, offset);
  inference::CompletionRequest request{
      1, name, name, std::string(window.prefix), std::string(window.suffix), {}};
  request.limits.speculation = speculation;
  std::promise<inference::JobReport> done;
  const double before = computed();
  engine.submit(std::move(request),
                {.onText = [](std::string) {},
                 .onDone = [&](const inference::JobReport& report) { done.set_value(report); },
                 .onBegin = nullptr});
  Run run = runOf(done.get_future().get());
  run.computing = computed() - before;  // with the prompt's last token
  return run;
}

// Completions behind every tenth line of the sample project's sources, all of which are open.
void benchCompletion(const std::string& path) {
  auto model = inference::CompiledModel::load(path, {.threads = 1});
  if (!model) giveUp(model.error());
  auto made = inference::Engine::make(std::move(*model));
  if (!made) giveUp(made.error());
  inference::Engine& engine = **made;
  std::vector<std::pair<std::string, std::string>> files;
  const std::string folder = test::sourceDir() + "/resources/sample_project/src";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.emplace_back(entry.path().filename().string(), readFile(entry.path().string()));
    engine.documentChanged(1, files.back().first, files.back().second);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // to be read by the worker
  Rounds rounds;
  const auto begun = Clock::now();
  for (int round = 0; round < 3 || goesOn(round, begun); ++round) {
    Run plain, drafting;
    for (const auto& [name, text] : files) {
      std::size_t at = 0;
      for (int line = 1; (at = text.find('\n', at) + 1) != 0; ++line) {
        if (line % 10 != 0) continue;
        complete(engine, name, text, at, false);  // fills the cache
        plain += complete(engine, name, text, at, false);
        drafting += complete(engine, name, text, at, true);
      }
    }
    rounds.add(plain, drafting);
  }
  rounds.print("completing in the sample project", "1.3");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = bench::modelPath(argc, argv);
  std::printf(
      "%s\nTokens by plain decoding's in the same computing time, by turns; median of %d rounds"
      "\nor fewer. Rewriting and noise: the output is forced, as if the model copied without"
      "\nfault; its own weights would not. Completing: what the model says, greedy.\n",
      path.c_str(), kRounds);
  benchForced(path);
  benchCompletion(path);
  return 0;
}
