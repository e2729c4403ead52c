// SPDX-License-Identifier: GPL-3.0-or-later
// Ollama's manifests as arbitrary bytes: what is read names files without any path, and sizes that
// can be. Qt's JSON parser is not instrumented: begin from the seeds.
#include <cstdlib>

#include "pairing/models/ollama_manifest.h"

using namespace waferpair::pairing;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const QByteArray json(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
  (void)isElsewhere(json);
  const auto manifest = readOllamaManifest(json);
  if (!manifest) return 0;
  for (const QString& blob : {manifest->modelBlob, manifest->configBlob}) {
    if (!blob.isEmpty() && (blob.contains(u'/') || !blob.startsWith(QLatin1String("sha256-"))))
      std::abort();
  }
  if (manifest->modelBlob.isEmpty() || manifest->modelBytes < 1) std::abort();
  return 0;
}
