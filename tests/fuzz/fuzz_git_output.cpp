// SPDX-License-Identifier: GPL-3.0-or-later
// What git writes of commits and of lines' authors, cut into two pieces at a place that the first
// byte names.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "workbench/git/blame.h"
#include "workbench/git/commit_log.h"

using namespace waferpair::workbench;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const QByteArray bytes(reinterpret_cast<const char*>(data) + 1, static_cast<qsizetype>(size) - 1);
  CommitLogReader whole;
  auto commits = whole.take(bytes);
  commits += whole.finish();
  CommitLogReader reader;
  const qsizetype cut = bytes.isEmpty() ? 0 : data[0] % bytes.size();
  auto again = reader.take(bytes.left(cut));
  again += reader.take(bytes.mid(cut));
  again += reader.finish();
  if (again.size() != commits.size()) std::abort();
  CommitGraph graph;
  for (qsizetype i = 0; i < commits.size(); ++i) {
    if (commits[i].id != again[i].id || commits[i].subject != again[i].subject) std::abort();
    const GraphRow row = graph.add(commits[i]);
    for (const auto& edge : row.below)
      if (edge.to < 0 || edge.to > CommitGraph::kMostLanes) std::abort();
  }
  for (const BlamedLine& line : readBlame(bytes))
    if (!line.commit.isEmpty() && line.commit.size() < 40) std::abort();
  return 0;
}
