// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/base/crash_report.h"

#include <execinfo.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <thread>

namespace waferpair::base {
namespace {

struct CrashSignal {
  int number;
  const char* name;
};
constexpr std::array kCrashSignals{
    CrashSignal{SIGSEGV, "SIGSEGV: memory that is not there"},
    CrashSignal{SIGABRT, "SIGABRT: the program gave up"},
    CrashSignal{SIGBUS, "SIGBUS: memory that cannot be read, or a file that became shorter"},
    CrashSignal{SIGFPE, "SIGFPE: arithmetic without a result"},
    CrashSignal{SIGILL, "SIGILL: an instruction that this processor does not have"}};
constexpr int kMostFrames = 64;
constexpr unsigned kMostSeconds = 10;  // for the handler, if it hangs
constexpr std::size_t kStackBytes = 64 << 10;

// Everything that the handler reads is made before, in memory of its own.
char programName[64];
char folderPath[PATH_MAX];
char aboutText[4096];
std::size_t aboutLength = 0;
std::array<struct sigaction, kCrashSignals.size()> signalsBefore;
std::atomic<bool> isReporting{false};
alignas(16) char handlerStack[kStackBytes];

// Text put together without the heap; what does not fit is left out.
template <std::size_t kSize>
class FixedText {
 public:
  FixedText& add(const char* text) {
    while (*text) put(*text++);
    return *this;
  }
  FixedText& add(std::uint64_t number, unsigned base = 10) {
    char digits[24];
    int count = 0;
    do {
      digits[count++] = "0123456789abcdef"[number % base];
      number /= base;
    } while (number > 0);
    while (count > 0) put(digits[--count]);
    return *this;
  }
  FixedText& addTwo(std::uint64_t number) { return add(number < 10 ? "0" : "").add(number); }
  const char* text() const { return bytes_; }
  std::size_t size() const { return size_; }

 private:
  void put(char c) {
    if (size_ + 1 < kSize) bytes_[size_++] = c;
    bytes_[size_] = '\0';
  }
  char bytes_[kSize] = "";
  std::size_t size_ = 0;
};

void writeAll(int file, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t count = write(file, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
}

// Copies lines of backtrace_symbols_fd(), "/usr/lib/libc.so.6(abort+0x12) [0x7f...]", without the
// folder of the module.
void copyFrames(int from, int to) {
  char line[1024];
  std::size_t length = 0;
  bool isInModule = true;
  char block[512];
  for (ssize_t count; (count = read(from, block, sizeof(block))) > 0;) {
    for (ssize_t i = 0; i < count; ++i) {
      const char c = block[i];
      if (c == '(' || c == '[') isInModule = false;
      if (c == '/' && isInModule) {
        length = 0;
      } else if (length < sizeof(line)) {
        line[length++] = c;
      }
      if (c != '\n') continue;
      writeAll(to, "  ", 2);
      writeAll(to, line, length);
      length = 0;
      isInModule = true;
    }
  }
}

void writeFrames(int file) {
  void* frames[kMostFrames];
  const int count = backtrace(frames, kMostFrames);
  // In memory first: the lines hold paths.
  const int memory = static_cast<int>(syscall(SYS_memfd_create, "frames", 0u));
  if (memory < 0) return;
  backtrace_symbols_fd(frames, count, memory);
  lseek(memory, 0, SEEK_SET);
  copyFrames(memory, file);
  close(memory);
}

void writeReport(int signal, const siginfo_t* info) {
  FixedText<PATH_MAX + 128> path;
  path.add(folderPath).add("/").add(programName).add("-");
  const time_t now = time(nullptr);
  path.add(static_cast<std::uint64_t>(now)).add("-").add(static_cast<std::uint64_t>(getpid()));
  path.add(kNewReportSuffix.data());
  const int file = open(path.text(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return;
  writeAll(file, aboutText, aboutLength);
  FixedText<512> what;
  const std::chrono::sys_seconds second{std::chrono::seconds(now)};
  const auto day = std::chrono::floor<std::chrono::days>(second);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(second - day);
  what.add("Time: ").add(static_cast<std::uint64_t>(static_cast<int>(date.year())));
  what.add("-").addTwo(static_cast<unsigned>(date.month()));
  what.add("-").addTwo(static_cast<unsigned>(date.day()));
  what.add(" ").addTwo(static_cast<std::uint64_t>(clock.hours().count()));
  what.add(":").addTwo(static_cast<std::uint64_t>(clock.minutes().count()));
  what.add(" UTC\nSignal: ");
  for (const CrashSignal& each : kCrashSignals)
    if (each.number == signal) what.add(each.name);
  if (info->si_code <= 0 && signal != SIGABRT) {
    what.add(" (sent by a program)");
  } else if (signal != SIGABRT) {
    what.add(" (at 0x").add(reinterpret_cast<std::uintptr_t>(info->si_addr), 16).add(")");
  }
  what.add("\nThread: ").add(syscall(SYS_gettid) == getpid() ? "main" : "another");
  what.add("\nWhere, the innermost first:\n");
  writeAll(file, what.text(), what.size());
  writeFrames(file);
  close(file);
}

void restoreSignals() {
  for (std::size_t i = 0; i < kCrashSignals.size(); ++i)
    sigaction(kCrashSignals[i].number, &signalsBefore[i], nullptr);
}

extern "C" void onCrash(int signal, siginfo_t* info, void*) {
  // Another thread crashes meanwhile: the process ends with the first one's report.
  if (isReporting.exchange(true))
    for (;;) pause();
  const int error = errno;
  std::signal(SIGALRM, SIG_DFL);
  alarm(kMostSeconds);
  writeReport(signal, info);
  alarm(0);
  restoreSignals();
  // It comes once this returns, and is handled as it would have been.
  raise(signal);
  errno = error;
}

void copyTo(char* buffer, std::size_t size, const std::string& text) {
  const std::size_t count = std::min(text.size(), size - 1);
  std::memcpy(buffer, text.data(), count);
  buffer[count] = '\0';
}

constexpr bool isSanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return true;
#else
  return false;
#endif
#else
  return false;
#endif
}

}  // namespace

bool reportCrashes(const std::string& program, const std::string& folder,
                   const std::string& about) {
  if (isSanitized() || folder.empty() || folder.size() >= sizeof(folderPath)) return false;
  copyTo(programName, sizeof(programName), program);
  copyTo(folderPath, sizeof(folderPath), folder);
  copyTo(aboutText, sizeof(aboutText), about);
  aboutLength = std::strlen(aboutText);
  static bool isInstalled = false;
  if (isInstalled) return true;
  isInstalled = true;
  // The first call loads a library, which a handler must not.
  void* frame = nullptr;
  (void)backtrace(&frame, 1);
  // A stack that overflowed has no room for a handler.
  stack_t stack = {};
  stack.ss_sp = handlerStack;
  stack.ss_size = sizeof(handlerStack);
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = onCrash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (std::size_t i = 0; i < kCrashSignals.size(); ++i)
    sigaction(kCrashSignals[i].number, &action, &signalsBefore[i]);
  return true;
}

std::string systemFact() {
  utsname name = {};
  uname(&name);
  return std::string("System: ") + name.sysname + ' ' + name.release + ", " + name.machine + ", " +
         std::to_string(std::thread::hardware_concurrency()) + " processors";
}

}  // namespace waferpair::base
