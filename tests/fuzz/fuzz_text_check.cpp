// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as code around a cursor and as what comes there: reading them in pieces makes no
// difference, judging changes nothing, and what goes on as alike lines do is the rest of a line.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/inference/sampling/alike_lines.h"
#include "runtime/inference/sampling/bracket_check.h"
#include "runtime/inference/sampling/name_check.h"
#include "runtime/inference/sampling/repetition_check.h"

namespace {

using namespace waferpair::inference;

void follow(TextCheck& check, std::string_view text) {
  for (std::size_t at = 0; at < text.size() && at < 1000; at += 3) {
    const std::string_view piece = text.substr(at, 3);
    if (check.judge(piece) != check.judge(piece)) std::abort();
    check.came(piece);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view before = text.substr(0, size / 2), behind = text.substr(size / 2);
  for (const char* file : {"a.c", "a.js", "a.py", "a.txt"}) {
    BracketReader whole(BracketReader::familyOf(file), size % 2 == 0), parts = whole;
    const bool fits = whole.read(text);
    parts.read(before);
    if (parts.read(behind) != fits || parts.open() != whole.open()) std::abort();
    BracketReader cursor(BracketReader::familyOf(file), size % 2 == 0);
    cursor.read(before);
    BracketCheck brackets(cursor, behind);
    follow(brackets, behind);
  }
  NameTable table;
  table.add(text, 1);
  const std::string_view begun = begunName(before);
  NameCheck names(std::string(begun), NameCheck::namesFor(begun, {&behind, 1}, table, 2));
  follow(names, behind);
  RepetitionCheck repetition;
  follow(repetition, text);
  for (const AlikeLine& line : alikeLines(before, behind, text.substr(size / 4, size / 4)))
    if (line.rest.empty() || line.rest.find('\n') != std::string::npos) std::abort();
  return 0;
}
