// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what keeping sequences in a file (waferd --session-cache) costs and saves: times of
// writing and reading as much as is kept at most, and of the first token after a restart, with the
// file and without it, by turns.
// bench_session_file [FILE.gguf]
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <random>
#include <sstream>
#include <vector>

#include "runtime/inference/engine/engine.h"
#include "runtime/inference/engine/session_file.h"
#include "tests/bench/bench_model.h"
#include "tests/support/paths.h"

namespace {

using namespace waferpair;
using inference::Clock;

constexpr int kRounds = 9;
const std::size_t kBytes = inference::SessionCache{}.bytes;

[[noreturn]] void giveUp(const base::Error& error) {
  std::fprintf(stderr, "%s\n", error.message().c_str());
  std::exit(1);
}

struct Times {
  std::vector<double> ms;
  void print(const char* what) {
    std::sort(ms.begin(), ms.end());
    std::printf("%-40s %.1f ms (%.1f to %.1f)\n", what, ms[ms.size() / 2], ms.front(), ms.back());
  }
};

// Milliseconds of this thread: other programs' share does not count.
double computed() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Sequences of the model's full context with anything in their pages, as many as are kept.
void benchFile(const inference::CompiledModel& model, const std::string& path) {
  const auto format = model.options().kvFormat;
  const inference::SessionKey key =
      inference::sessionKey(model.model(), format, *model.options().activations);
  const auto pool = [&] {
    return *inference::SequencePool::make(model.config(), model.card().context, format, 2 * kBytes);
  };
  auto full = pool();
  std::mt19937 random(1);
  while (full.usedBytes() < kBytes) {
    std::vector<std::int32_t> tokens(static_cast<std::size_t>(model.card().context));
    for (auto& token : tokens)
      token = static_cast<int>(random() % static_cast<unsigned>(model.card().vocabSize));
    const std::size_t count = (tokens.size() + tensor::kChunk - 1) / tensor::kChunk;
    const std::size_t chunkBytes = key.pages.bytes * static_cast<std::size_t>(key.pages.ofChunk);
    std::vector<std::byte> bytes(count * chunkBytes);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    std::vector<std::span<const std::byte>> chunks;
    for (std::size_t i = 0; i < count; ++i)
      chunks.push_back(std::span(bytes).subspan(i * chunkBytes, chunkBytes));
    inference::Sequence* sequence = full.take(tokens);
    if (auto put = sequence->restore(tokens, chunks); !put) giveUp(put.error());
    full.release(sequence);
  }
  Times save, restore;
  for (int round = 0; round < kRounds; ++round) {
    auto empty = pool();
    double start = computed();
    if (auto saved = saveSession(path, key, full.byUse(), kBytes); !saved) giveUp(saved.error());
    save.ms.push_back(computed() - start);
    start = computed();
    if (auto restored = restoreSession(path, key, empty); !restored) giveUp(restored.error());
    restore.ms.push_back(computed() - start);
  }
  std::printf("%.1f MB, %zu sequences\n", 1e-6 * std::filesystem::file_size(path),
              full.byUse().size());
  save.print("saving, processor time");
  restore.print("restoring, processor time");
}

struct Start {
  double makeMs = 0;
  inference::JobReport report;
};

// An engine that is asked as soon as it is there.
Start start(const std::string& model, const std::string& text, const std::string& session) {
  auto loaded = inference::CompiledModel::load(model);
  if (!loaded) giveUp(loaded.error());
  Start result;
  const auto begun = Clock::now();
  auto engine = inference::Engine::make(std::move(*loaded), {.session = {.file = session}});
  if (!engine) giveUp(engine.error());
  result.makeMs = millisecondsSince(begun);
  const auto window = (*engine)->window(text, text.size() / 2);
  std::promise<void> done;
  (*engine)->submit(inference::CompletionRequest{.client = 1,
                                                 .document = "a",
                                                 .fileName = "engine.cpp",
                                                 .prefix = std::string(window.prefix),
                                                 .suffix = std::string(window.suffix),
                                                 .limits = {.maxTokens = 8}},
                    {.onText = [](std::string) {},
                     .onDone =
                         [&](const inference::JobReport& report) {
                           result.report = report;
                           done.set_value();
                         },
                     .onBegin = {}});
  done.get_future().wait();
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = bench::modelPath(argc, argv);
  const std::string session =
      (std::filesystem::temp_directory_path() / "waferpair-bench-session").string();
  {
    auto model = inference::CompiledModel::load(path);
    if (!model) giveUp(model.error());
    benchFile(**model, session);
  }
  std::filesystem::remove(session);
  std::ostringstream text;
  text << std::ifstream(test::sourceDir() + "/runtime/inference/engine/engine.cpp").rdbuf();
  start(path, text.str(), session);
  Times plain, kept, plainMake, keptMake;
  int cached = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Start without = start(path, text.str(), ""), with = start(path, text.str(), session);
    plain.ms.push_back(without.report.firstTokenMs);
    kept.ms.push_back(with.report.firstTokenMs);
    plainMake.ms.push_back(without.makeMs);
    keptMake.ms.push_back(with.makeMs);
    cached = with.report.cachedTokens;
  }
  plainMake.print("engine made, without the file");
  keptMake.print("engine made, with it");
  std::printf("first token of a job that waits for the engine, %d of its tokens in the file\n",
              cached);
  plain.print("without the file");
  kept.print("with it");
  std::filesystem::remove(session);
}
