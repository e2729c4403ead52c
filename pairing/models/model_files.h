// SPDX-License-Identifier: GPL-3.0-or-later
// GGUF files that other programs have fetched (Hugging Face's hub, llama.cpp, Ollama, LM Studio),
// with the names that those programs give them. Names and small manifests are looked at, never the
// models; nothing is written. Any thread.
#pragma once

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QVector>

namespace waferpair::pairing {

struct ModelFile {
  QString path;       // the file itself, behind all links
  QStringList names;  // "qwen2.5-coder:1.5b", "ORG/NAME/FILE.gguf"; the store's own
  QString store;      // "Ollama"
  qint64 bytes = 0;

  bool operator==(const ModelFile&) const = default;
};

struct ModelFiles {
  QVector<ModelFile> files;  // each once, by name
  QStringList problems;      // stores that are there and cannot be read, for the user
};

// The stores are where `environment` and the home folder say. At most so many entries of folders
// are looked at in a store; what is beyond is left out.
inline constexpr int kMostStoreEntries = 20'000;
ModelFiles findModelFiles(const QProcessEnvironment& environment, const QString& home,
                          const QString& systemOllama = QStringLiteral("/usr/share/ollama"));

}  // namespace waferpair::pairing
