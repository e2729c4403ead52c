// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/models/ollama_manifest.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace waferpair::pairing {
namespace {

constexpr double kMostBytes = 1e15;

// A name without any path in it; empty: it is no digest.
QString blobOf(const QJsonObject& layer) {
  static const QRegularExpression digest(QStringLiteral("\\Asha256[:-]([0-9a-fA-F]{64})\\z"));
  const auto match = digest.match(layer.value(u"digest").toString());
  return match.hasMatch() ? QStringLiteral("sha256-") + match.captured(1).toLower() : QString();
}

}  // namespace

std::optional<OllamaManifest> readOllamaManifest(const QByteArray& json) {
  if (json.size() > kMostManifestBytes) return {};
  const QJsonObject manifest = QJsonDocument::fromJson(json).object();
  std::optional<OllamaManifest> read;
  for (const QJsonValue value : manifest.value(u"layers").toArray()) {
    const QJsonObject layer = value.toObject();
    const QString type = layer.value(u"mediaType").toString();
    if (type == u"application/vnd.ollama.image.adapter") return {};
    if (type != u"application/vnd.ollama.image.model") continue;
    const double bytes = layer.value(u"size").toDouble(-1);
    const QString blob = blobOf(layer);
    if (read || blob.isEmpty() || !(bytes >= 1 && bytes <= kMostBytes)) return {};
    read = OllamaManifest{blob, static_cast<qint64>(bytes),
                          blobOf(manifest.value(u"config").toObject())};
  }
  return read;
}

bool isElsewhere(const QByteArray& configJson) {
  const QJsonObject config = QJsonDocument::fromJson(configJson).object();
  return !config.value(u"remote_host").toString().isEmpty() ||
         config.value(u"model_format").toString(QStringLiteral("gguf")) != u"gguf";
}

}  // namespace waferpair::pairing
