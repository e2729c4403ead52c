// SPDX-License-Identifier: GPL-3.0-or-later
// Hugging Face's hub, or a mirror of it: where it is, and what it says of a model. Bytes from
// outside: what is not as it should be is left out. Any thread.
#pragma once

#include <QByteArray>
#include <QProcessEnvironment>
#include <QString>
#include <QUrl>
#include <QVector>
#include <optional>

#include "editor/text/result.h"

namespace waferpair::pairing {

struct HubFile {
  QString path;       // in the repository, with no ".." in it
  qint64 bytes = 0;   // at least 1
  QByteArray sha256;  // 64 hexadecimal digits, lower case

  bool operator==(const HubFile&) const = default;
};

struct HubModel {
  QString commit;          // 40 hexadecimal digits
  QString license;         // as its card says; empty: it says nothing
  bool isGated = false;    // its author wants to know who fetches it
  QVector<HubFile> files;  // GGUF files whose SHA-256 is known, each path once

  const HubFile* find(const QString& path) const;
  // The file whose name is like `pattern` ("*q4_k_m.gguf", whatever the case) and that is a model
  // by itself; of several the last by name.
  const HubFile* findLike(const QString& pattern) const;
  bool operator==(const HubModel&) const = default;
};

inline constexpr qint64 kMostHubBytes = 8 << 20;
inline constexpr qsizetype kMostHubFiles = 1000;

// GET /api/models/ORG/NAME?blobs=true. Nothing where it is no such answer.
std::optional<HubModel> readHubModel(const QByteArray& json);

// "ORG/NAME", both parts being what the hub allows in names.
bool isRepository(const QString& name);

// HF_ENDPOINT, else https://huggingface.co; without a "/" at its end. The error says what is wrong
// with the former, or that the hub is not to be asked (HF_HUB_OFFLINE).
editor::Result<QUrl> hubBase(const QProcessEnvironment& environment);
// True where requests to `url` are encrypted, or stay on this computer.
bool isSafeAddress(const QUrl& url);

QUrl hubModelUrl(const QUrl& base, const QString& repository);
QUrl hubFileUrl(const QUrl& base, const QString& repository, const QString& commit,
                const QString& path);
// The page for a person, where licenses are shown and agreed to.
QUrl hubPageUrl(const QUrl& base, const QString& repository);

// The folder where programs that use the hub keep what they have fetched (HF_HUB_CACHE, HF_HOME,
// XDG_CACHE_HOME), whether it is there or not.
QString hubCache(const QProcessEnvironment& environment, const QString& home);

// The absolute path that a variable holds, "~" being `home`; else empty.
QString folderIn(const QProcessEnvironment& environment, const char* variable, const QString& home);
// XDG_CACHE_HOME, or what it is by default.
QString userCache(const QProcessEnvironment& environment, const QString& home);

}  // namespace waferpair::pairing
