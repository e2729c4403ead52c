// SPDX-License-Identifier: GPL-3.0-or-later
// Ollama's notes on a model that it has fetched: which of its files holds what. Bytes from
// outside; what is not as it should be gives nothing.
#pragma once

#include <QByteArray>
#include <QString>
#include <optional>

namespace waferpair::pairing {

struct OllamaManifest {
  QString modelBlob;   // "sha256-HEX": the GGUF file's name in blobs/
  qint64 modelBytes;   // of it
  QString configBlob;  // likewise; may be empty
};

// Larger ones are none.
inline constexpr qint64 kMostManifestBytes = 1 << 20;

// Nothing where no GGUF file is named, or where the file alone is not the model (adapters).
std::optional<OllamaManifest> readOllamaManifest(const QByteArray& json);
// The config blob's: the model runs elsewhere, or its file is no GGUF file.
bool isElsewhere(const QByteArray& configJson);

}  // namespace waferpair::pairing
