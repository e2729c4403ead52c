// SPDX-License-Identifier: GPL-3.0-or-later
// Programs of the mesh as texts that people write: docs/mesh.md has the language. Each statement
// stands on a line; whatever is wrong is told with the number of its line.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/mesh/mesh.h"
#include "runtime/wafer/machine/data.h"

namespace waferpair::mesh {

// Values in the SRAM of one PE, one `stride` elements behind the other.
struct Values {
  int x = 0, y = 0;
  Type type = Type::F32;
  std::uint32_t address = 0;
  std::vector<float> values;
  int line = 0;  // of the text
};

struct TextProgram {
  Program program;
  std::vector<Values> data;    // before the run
  std::vector<Values> expect;  // behind it
  std::vector<Values> print;   // what is to be shown: as many as there are values
};

// A text of at most this many bytes, for a region of at most this many PEs.
inline constexpr std::size_t kMostText = std::size_t{1} << 20;
inline constexpr int kMostTextPes = 256 * 256;

// The program is valid (validate()) and its data lies within SRAM.
base::Result<TextProgram> parseProgram(std::string_view text);

// A mesh with the program's data in place.
base::Result<Mesh> load(const TextProgram& text);
// The error tells the first value that is not what the program expects.
base::Result<void> check(const TextProgram& text, const Mesh& mesh);

// The values that lie there now.
base::Result<std::vector<float>> read(const Mesh& mesh, const Values& where);

// The programs that come along (resources/mesh).
std::span<const wafer::DataFile> readyPrograms();

}  // namespace waferpair::mesh
