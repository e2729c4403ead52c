// SPDX-License-Identifier: GPL-3.0-or-later
// Crash reports: when the process dies of a signal such as SIGSEGV, it leaves a short text about
// itself in a folder of the user's. Nothing is sent. A report says which signal it was, where the
// program was (libraries and offsets), and what it is: its version, what it runs on. It has no text
// of the user's, and no paths: modules go by their file names.
//
// The handler does only what may be done in one. The signal goes on to be what it was, so a core
// dump, or the exit status that a parent sees, is as without it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace waferpair::base {

// The names of reports in their folder: PROGRAM-SECONDS-PID.new, and .txt once the user was told.
inline constexpr std::string_view kNewReportSuffix = ".new";
inline constexpr std::string_view kToldReportSuffix = ".txt";
inline constexpr std::string_view kCrashFolder = "crashes";                // below the state folder
inline constexpr std::size_t kLongestCrashReport = std::size_t{64} << 10;  // bytes

// From now on a crash leaves a report in `folder`, which is there. `about` is said first in it: a
// line for each fact, "Version: 1.2". Call once, on the main thread; later calls replace `folder`
// and `about`. Under sanitizers, which report crashes themselves, this does nothing. Returns
// whether crashes are reported.
bool reportCrashes(const std::string& program, const std::string& folder, const std::string& about);

// What can be said of the computer: "System: Linux 6.1.0, x86_64, 8 processors".
std::string systemFact();

}  // namespace waferpair::base
