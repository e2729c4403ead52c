// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the decode rate while another process is busy: tokens/s with the usual threads
// beside a child of this program that never rests, as a share of one thread's undisturbed; target:
// 60 %. On a machine where others are busy too nothing is undisturbed: there the share of one
// thread's in the same company tells whether threads that wait for one another lose more than it
// does. All by turns. bench_contention [FILE.gguf]
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "runtime/inference/model/compiled_model.h"
#include "tests/bench/bench_model.h"
#include "tests/bench/random_shapes.h"
#include "tests/bench/read_bandwidth.h"

namespace {

using namespace waferpair;
using bench::giveUp;

constexpr int kRounds = 15;
constexpr double kTurn = 0.2;  // seconds: many time slices of the kernel
constexpr int kDepth = 128;    // at which decoding begins anew

// A process that computes while it is told to. Made before this program has threads.
class BusyProcess {
 public:
  BusyProcess() {
    void* shared = mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) giveUp({"There is no memory for a second process.", ""});
    busy_ = new (shared) std::atomic<bool>(false);
    child_ = fork();
    if (child_ < 0) giveUp({"No second process can be started.", "End some programs."});
    if (child_ > 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();  // as a program of its own: the kernel divides time among sessions first
    for (volatile std::uint64_t work = 0;;) {
      if (!busy_->load()) usleep(1000);
      for (int i = 0; i < 10000; ++i) work = work * 3 + 1;
    }
  }
  ~BusyProcess() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  void set(bool busy) { busy_->store(busy); }
  clockid_t clock() const {  // of its time on a core
    clockid_t clock = 0;
    clock_getcpuclockid(child_, &clock);
    return clock;
  }

 private:
  std::atomic<bool>* busy_ = nullptr;
  pid_t child_ = -1;
};

// Seconds on a core of a process; and those that all cores have worked since the machine started.
double ownSeconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}
double machineSeconds() {
  std::ifstream stat("/proc/stat");
  std::string cpu;
  double user = 0, nice = 0, system = 0;
  stat >> cpu >> user >> nice >> system;
  return (user + nice + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

class Decoder {
 public:
  Decoder(const std::string& file, int threads)
      : model_(load(file, threads)),
        kv_(*transformer::KvCache::make(model_->config(), model_->card().context)) {
    restart();
  }
  int threads() const { return model_->threads(); }

  double run() {
    int tokens = 0;
    return 1 / bench::secondsOf([&] {
             const auto end =
                 std::chrono::steady_clock::now() + std::chrono::duration<double>(kTurn);
             for (; std::chrono::steady_clock::now() < end; ++tokens) {
               if (kv_.length() == kv_.capacity()) restart();
               step(1, &greedy_);
             }
           }) *
           tokens;
  }

 private:
  static std::unique_ptr<inference::CompiledModel> load(const std::string& file, int threads) {
    auto model = inference::CompiledModel::load(file, {.threads = threads});
    if (!model) giveUp(model.error());
    return std::move(*model);
  }
  void restart() {
    kv_.truncate(0);
    while (kv_.length() < kDepth) step(std::min(model_->chunk(), kDepth - kv_.length()), nullptr);
  }
  void step(int tokens, inference::Sampler* sampler) {
    const std::vector<std::int32_t> fed(static_cast<std::size_t>(tokens), 65);
    if (const auto done = model_->step(fed, kv_, sampler); !done) giveUp(done.error());
  }

  std::unique_ptr<inference::CompiledModel> model_;
  transformer::KvCache kv_;
  inference::Sampler greedy_{inference::SamplingOptions{}};
};

void print(const char* what, const std::vector<double>& values, const char* unit) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  std::printf("    %-50s %8.0f %s (%.0f to %.0f)\n", what, bench::median(values), unit, *least,
              *most);
}

void measure(BusyProcess& other, const std::string& name, const std::string& file, int threads) {
  Decoder one(file, 1), usual(file, threads);
  std::vector<double> oneAlone, oneBeside, alone, beside, share, fairShare;
  for (int round = 0; round < kRounds; ++round) {
    oneAlone.push_back(one.run());
    alone.push_back(usual.run());
    other.set(true);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // until it has noticed
    beside.push_back(usual.run());
    oneBeside.push_back(one.run());
    other.set(false);
    share.push_back(100 * beside.back() / oneAlone.back());
    fairShare.push_back(100 * beside.back() / oneBeside.back());
  }
  std::printf("%s, %d thread%s\n", name.c_str(), usual.threads(), usual.threads() > 1 ? "s" : "");
  print("one thread, undisturbed", oneAlone, "tokens/s");
  print("one thread beside a busy process", oneBeside, "tokens/s");
  print("these threads, undisturbed", alone, "tokens/s");
  print("these threads beside a busy process", beside, "tokens/s");
  print("  by one thread, undisturbed: target 60", share, "%");
  print("  by one thread in the same company", fairShare, "%");
}

}  // namespace

int main(int argc, char** argv) {
  BusyProcess other;
  const double machine = machineSeconds();
  std::printf("Host tokens/s, medians of %d rounds (range).\n", kRounds);
  const double seconds = bench::secondsOf([&] {
    const std::string path = bench::modelPath(argc, argv);
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    measure(other, path, path, 0);
    measure(other, path, path, cores);
    if (argc > 1) return;
    const std::string file =
        (std::filesystem::temp_directory_path() / "waferpair-bench-contention.gguf").string();
    const auto written = test::writeTinyModel(file, bench::randomShapes().at("60M"));
    if (!written) giveUp(written.error());
    measure(other, "random 60M Q8_0", file, 0);
    std::filesystem::remove(file);
  });
  const double others =
      machineSeconds() - machine - ownSeconds(CLOCK_PROCESS_CPUTIME_ID) - ownSeconds(other.clock());
  std::printf("Meanwhile other programs took %.1f of %u cores.\n", others / seconds,
              std::thread::hardware_concurrency());
  return 0;
}
