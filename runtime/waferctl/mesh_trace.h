// SPDX-License-Identifier: GPL-3.0-or-later
// What a mesh did, in the Trace Event Format that Perfetto opens: a process for each PE, with its
// core and each of its links as threads; a cycle is a nanosecond there.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/mesh/program.h"
#include "runtime/mesh/recorder.h"

namespace waferpair::waferctl {

// `cycles` that the program took; 0 if it did not end.
std::string meshTrace(const mesh::Program& program, const mesh::Recorder& recorder,
                      std::uint64_t cycles);

}  // namespace waferpair::waferctl
