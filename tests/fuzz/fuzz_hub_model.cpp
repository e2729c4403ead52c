// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the hub's description of a model from arbitrary bytes: whatever is read names files that
// lie in their folder, with sizes and sums that can be. Qt's JSON parser is not instrumented: begin
// from the seeds.
#include <QDir>
#include <QSet>
#include <cstdlib>

#include "pairing/downloads/hub.h"

using namespace waferpair::pairing;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto model =
      readHubModel(QByteArray(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size)));
  if (!model) return 0;
  if (model->commit.size() != 40 || model->files.size() > kMostHubFiles) std::abort();
  QSet<QString> paths;
  for (const HubFile& file : model->files) {
    const QString at = QStringLiteral("/folder/") + file.path;
    if (QDir::cleanPath(at) != at || paths.contains(file.path)) std::abort();
    if (file.bytes < 1 || QByteArray::fromHex(file.sha256).size() != 32) std::abort();
    paths.insert(file.path);
  }
  const HubFile* found = model->findLike(QStringLiteral("*q8_0.gguf"));
  if (found && !paths.contains(found->path)) std::abort();
  return 0;
}
