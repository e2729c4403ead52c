// SPDX-License-Identifier: GPL-3.0-or-later
// How long a model takes to load, beside reading its file, and how much memory at the most beside
// the file's size: bench_load FILE.gguf [ROUNDS]. With --cold the file is taken out of the system's
// cache before each. Both by turns in one process each, as memory once had does not come back.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/transformer/model.h"
#include "tests/bench/bench_model.h"

namespace {

using namespace waferpair;
using Clock = std::chrono::steady_clock;

struct Taken {
  double seconds = 0, processorSeconds = 0, peakBytes = 0;
};

// Runs `work` in a child, which says what it took.
Taken inAChild(const std::function<void()>& work) {
  int ends[2];
  if (pipe(ends) != 0) bench::giveUp({"There is no pipe.", "Close other programs."});
  const pid_t child = fork();
  if (child == 0) {
    const auto begin = Clock::now();
    work();
    Taken taken{.seconds = std::chrono::duration<double>(Clock::now() - begin).count()};
    rusage used = {};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    taken.processorSeconds = seconds(used.ru_utime) + seconds(used.ru_stime);
    taken.peakBytes = 1024.0 * static_cast<double>(used.ru_maxrss);
    const bool said = write(ends[1], &taken, sizeof(taken)) == sizeof(taken);
    _exit(said ? 0 : 1);
  }
  close(ends[1]);
  Taken taken;
  const bool heard = child > 0 && read(ends[0], &taken, sizeof(taken)) == sizeof(taken);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!heard) bench::giveUp({"A run ended before it was done.", "See what it said above."});
  return taken;
}

void readThrough(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::vector<char> buffer(1 << 22);
  while (fd >= 0 && read(fd, buffer.data(), buffer.size()) > 0) {
  }
  close(fd);
}

void takeOutOfCache(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  close(fd);
}

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const bool cold = argc > 1 && std::string_view(argv[argc - 1]) == "--cold";
  const int named = argc - (cold ? 1 : 0);
  const std::string path = bench::modelPath(named, argv);
  const int rounds = named > 2 ? std::max(1, std::atoi(argv[2])) : 5;
  const double size = static_cast<double>(std::filesystem::file_size(path));
  std::vector<double> reading, loading, processor, peak;
  for (int i = 0; i < rounds; ++i) {
    if (cold) takeOutOfCache(path);
    reading.push_back(inAChild([&] { readThrough(path); }).seconds);
    if (cold) takeOutOfCache(path);
    const Taken taken = inAChild([&] {
      const auto model = transformer::Model::load(path);
      if (!model) bench::giveUp(model.error());
    });
    loading.push_back(taken.seconds);
    processor.push_back(taken.processorSeconds);
    peak.push_back(taken.peakBytes);
  }
  std::printf("%s, %.1f MB, %s, medians of %d\n", path.c_str(), size / 1e6,
              cold ? "from the disk" : "from the system's cache", rounds);
  std::printf("reading   %8.3f s\n", medianOf(reading));
  std::printf("loading   %8.3f s, %.2f times that; processor %.3f s\n", medianOf(loading),
              medianOf(loading) / medianOf(reading), medianOf(processor));
  std::printf("memory    %8.1f MB at the most, %.2f times the file\n", medianOf(peak) / 1e6,
              medianOf(peak) / size);
  return 0;
}
