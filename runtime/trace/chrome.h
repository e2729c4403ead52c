// SPDX-License-Identifier: GPL-3.0-or-later
// A trace in the Trace Event Format, JSON, which Perfetto and chrome://tracing open:
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
//
// The wafer is a process with a thread for each region: its ops are slices, with their wavelets.
// The host is another process: its slices are steps. Times of the wafer are emulated and times of
// the host measured, so the two do not line up, and the names of the processes say which is which.
#pragma once

#include <ostream>

#include "runtime/base/result.h"
#include "runtime/trace/reader.h"

namespace waferpair::trace {

// Fails as Reader::visit(), or if `out` does.
base::Result<void> writeChromeTrace(Reader& reader, std::ostream& out);

}  // namespace waferpair::trace
