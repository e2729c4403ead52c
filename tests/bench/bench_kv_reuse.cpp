// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what reusing chunks behind an edit (waferd --kv-reuse) saves, and what it does to the
// text: the same completions with and without it, by turns, in the sources of this repository and
// the sample project.
// bench_kv_reuse [FILE.gguf]
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <random>
#include <sstream>
#include <vector>

#include "runtime/inference/engine/engine.h"
#include "runtime/inference/engine/sequence.h"
#include "tests/bench/bench_model.h"
#include "tests/support/paths.h"

namespace {

using namespace waferpair;
namespace fs = std::filesystem;
using Tokens = std::vector<std::int32_t>;

constexpr int kRun = 32;
constexpr int kEach = 150;  // completions of each kind

[[noreturn]] void giveUp(const base::Error& error) {
  std::fprintf(stderr, "%s\n", error.message().c_str());
  std::exit(1);
}

std::vector<std::string> texts() {
  std::vector<std::string> all;
  for (const char* folder : {"resources/sample_project", "runtime", "gui", "training"}) {
    const fs::path root = fs::path(test::sourceDir()) / folder;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      const auto extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".h" && extension != ".py") continue;
      std::ostringstream text;
      text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      if (text.str().size() > 2000) all.push_back(text.str());
    }
  }
  std::sort(all.begin(), all.end());  // not as the file system has them
  return all;
}

// Places that are completed one after another; the last is measured.
struct Place {
  std::string text;
  std::size_t at = 0;
};
using Case = std::vector<Place>;

class Cases {
 public:
  explicit Cases(std::uint32_t seed) : texts_(texts()), random_(seed) {}

  // The cursor goes `lines` down; up if negative.
  Case cursorMoves(int lines) {
    const std::string& text = texts_[random_() % texts_.size()];
    const std::size_t from = lineStart(text, random_() % text.size());
    std::size_t at = from;
    for (int line = 0; line < std::abs(lines); ++line)
      at = lines > 0 ? nextLine(text, at) : lineStart(text, at - (at > 0));
    return {{text, from}, {text, cursorIn(text, at)}};
  }
  // A line `lines` above the cursor is written anew, or one is put in; so many times.
  Case lineAbove(int lines, bool replaced, int times) {
    Case moved;
    do moved = cursorMoves(-lines);
    while (moved[1].at + 400 > moved[0].at);
    Case made{{moved[0].text, cursorIn(moved[0].text, moved[0].at)}};
    const std::size_t at = lineStart(moved[0].text, moved[1].at);
    for (int i = 0; i < times; ++i) {
      Place next = made.back();
      const std::size_t end = replaced ? nextLine(next.text, at) : at;
      const std::string& other = texts_[random_() % texts_.size()];
      const std::size_t from = lineStart(other, random_() % other.size());
      const std::string line = other.substr(from, nextLine(other, from) - from);
      next.text.replace(at, end - at, line);
      next.at += line.size() - (end - at);
      made.push_back(next);
    }
    return made;
  }

 private:
  static std::size_t lineStart(const std::string& text, std::size_t at) {
    return at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  }
  static std::size_t nextLine(const std::string& text, std::size_t at) {
    return std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  // Returns the first character of the line that is not blank, or a place somewhere behind it.
  std::size_t cursorIn(const std::string& text, std::size_t line) {
    std::size_t at = line, end = nextLine(text, line) - 1;
    while (at < end && (text[at] == ' ' || text[at] == '\t')) ++at;
    if (random_() % 2 == 0 && at < end) at += random_() % (end - at);
    while (!inference::isCharacterBoundary(text, at)) ++at;
    return at;
  }

  std::vector<std::string> texts_;
  std::mt19937 random_;
};

struct Answer {
  std::string text;
  inference::JobReport report;
};

Answer complete(inference::Engine& engine, const std::string& name, const Place& place) {
  const auto window = engine.window(place.text, place.at);
  auto answer = std::make_shared<Answer>();
  std::promise<void> done;
  engine.submit(inference::CompletionRequest{.client = 1,
                                             .document = name,
                                             .fileName = "file.cpp",
                                             .prefix = std::string(window.prefix),
                                             .suffix = std::string(window.suffix),
                                             .limits = {.maxTokens = 24, .maxLines = 1}},
                {.onText = [answer](std::string some) { answer->text += some; },
                 .onDone =
                     [&](const inference::JobReport& report) {
                       answer->report = report;
                       done.set_value();
                     },
                 .onBegin = {}});
  done.get_future().wait();
  return *answer;
}

std::vector<float> logitsOf(inference::CompiledModel& model, inference::Sequence& sequence,
                            const Tokens& prompt) {
  sequence.setPrompt(prompt);
  std::vector<float> logits;
  for (bool last = false; !last;) {
    auto pending = sequence.pending();
    last = std::ssize(pending) <= model.chunk() && !sequence.hasMoved();
    pending = pending.first(std::min(pending.size(), static_cast<std::size_t>(model.chunk())));
    const auto fed = model.score(
        pending, sequence.kv(), last ? 1 : 0,
        [&](int, std::span<const float> row) { logits.assign(row.begin(), row.end()); });
    if (!fed) giveUp(fed.error());
  }
  return logits;
}

// The Kullback-Leibler divergence of the next token's probabilities: the sum of p ln(p / q).
double divergence(std::vector<float> exact, std::vector<float> moved) {
  tensor::softmax(exact);
  tensor::softmax(moved);
  double sum = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    if (exact[i] > 1e-12f)
      sum += static_cast<double>(exact[i]) *
             std::log(static_cast<double>(exact[i]) / std::max(1e-12, double(moved[i])));
  return sum;
}

int best(const std::vector<float>& logits) {
  return static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Bench {
  std::unique_ptr<inference::Engine> exact, reusing;
  std::unique_ptr<inference::CompiledModel> model;  // for logits

  explicit Bench(const std::string& path) {
    const auto load = [&] {
      auto loaded = inference::CompiledModel::load(path);
      if (!loaded) giveUp(loaded.error());
      return std::move(*loaded);
    };
    const auto engine = [&](int run) {
      auto made = inference::Engine::make(load(), {.reuseRun = run});
      if (!made) giveUp(made.error());
      return std::move(*made);
    };
    exact = engine(0);
    reusing = engine(kRun);
    model = load();
  }

  void run(const char* what, const std::function<Case()>& next) {
    int prompts = 0, exactCached = 0, cached = 0, changed = 0, tops = 0, exactRight = 0, right = 0;
    std::vector<double> exactMs, ms, divergences;
    for (int i = 0; i < kEach; ++i) {
      const Case made = next();
      const std::string name = std::to_string(i) + what;
      std::array<Answer, 2> answers;
      for (const int turn : {i % 2, 1 - i % 2}) {
        inference::Engine& engine = turn == 0 ? *exact : *reusing;
        for (const Place& place : made)
          answers[static_cast<std::size_t>(turn)] = complete(engine, name, place);
      }
      const auto& [text, at] = made.back();
      const std::string truth = text.substr(at, text.find('\n', at) - at);
      prompts += answers[0].report.inputTokens;
      exactCached += answers[0].report.cachedTokens;
      cached += answers[1].report.cachedTokens;
      exactMs.push_back(answers[0].report.firstTokenMs);
      ms.push_back(answers[1].report.firstTokenMs);
      changed += answers[0].text != answers[1].text;
      exactRight += answers[0].text == truth;
      right += answers[1].text == truth;
      const auto [top, divergence] = compare(made);
      tops += top;
      divergences.push_back(divergence);
    }
    double mean = 0;
    for (const double each : divergences) mean += each / kEach;
    std::printf(
        "%-22s cached %2d -> %2d %%; first token %.1f -> %.1f ms (medians); text differs %d of %d; "
        "right %d -> %d; likeliest token the same %d; divergence mean %.4f, median %.5f nats\n",
        what, 100 * exactCached / prompts, 100 * cached / prompts, median(exactMs), median(ms),
        changed, kEach, exactRight, right, tops, mean, median(divergences));
  }

  // The network alone: whether its likeliest next token is the same, and the divergence.
  std::pair<bool, double> compare(const Case& made) {
    const auto promptOf = [&](const Place& place) {
      const auto window = exact->window(place.text, place.at);
      return inference::fimPrompt(model->tokenizer(), model->card().prompt,
                                  {"file.cpp", window.prefix, window.suffix},
                                  inference::promptBudget(model->card().context));
    };
    const int context = model->card().context;
    const auto reuse = std::make_shared<const inference::ChunkReuse>(
        *inference::ChunkReuse::make(model->model(), tensor::KvFormat::kF16, kRun));
    const auto pool = [&] {
      const auto bytes =
          transformer::KvPool::bytesPerToken(model->config(), tensor::KvFormat::kF16);
      return *transformer::KvPool::make(model->config(), tensor::KvFormat::kF16,
                                        bytes * static_cast<std::size_t>(context + tensor::kChunk));
    };
    inference::Sequence fresh(pool(), context), moved(pool(), context, reuse);
    std::vector<float> is;
    for (const Place& place : made) is = logitsOf(*model, moved, promptOf(place));
    const auto should = logitsOf(*model, fresh, promptOf(made.back()));
    return {best(should) == best(is), divergence(should, is)};
  }
};

}  // namespace

int main(int argc, char** argv) {
  Bench bench(bench::modelPath(argc, argv));
  std::printf("runs of %d tokens; without -> with\n", kRun);
  Cases cases(1);
  bench.run("cursor 1 line down", [&] { return cases.cursorMoves(1); });
  bench.run("cursor 1 line up", [&] { return cases.cursorMoves(-1); });
  bench.run("cursor 10 lines down", [&] { return cases.cursorMoves(10); });
  bench.run("cursor 10 lines up", [&] { return cases.cursorMoves(-10); });
  bench.run("line replaced 20 above", [&] { return cases.lineAbove(20, true, 1); });
  bench.run("line put in 20 above", [&] { return cases.lineAbove(20, false, 1); });
  bench.run("12 lines, one by one", [&] { return cases.lineAbove(20, false, 12); });
}
