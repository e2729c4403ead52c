// SPDX-License-Identifier: GPL-3.0-or-later
// The models of a server, as it lists them: OpenAI's list, which all have, and what Ollama and LM
// Studio tell beyond it. Bytes from outside: what is not as it should be is left out.
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>
#include <optional>

namespace waferpair::pairing {

struct ListedModel {
  QString id;
  QString owner;              // "llamacpp", "vllm"; what the server says of itself, in effect
  qint64 contextTokens = -1;  // -1: not told
  qint64 parameters = -1;     // likewise
  bool isText = true;         // false: it makes embeddings and the like

  bool operator==(const ListedModel&) const = default;
};

inline constexpr qint64 kMostListBytes = 4 << 20;
inline constexpr qsizetype kMostListed = 500;

// GET /v1/models, with what llama-server and vLLM add to it. Nothing where it is no such list.
std::optional<QVector<ListedModel>> readModelList(const QByteArray& json);
// GET /api/tags of Ollama.
std::optional<QVector<ListedModel>> readOllamaTags(const QByteArray& json);
// GET /api/v0/models of LM Studio.
std::optional<QVector<ListedModel>> readLmStudioModels(const QByteArray& json);

// Returns the first list with what the second knows of its models.
QVector<ListedModel> withDetails(QVector<ListedModel> models, const QVector<ListedModel>& details);

}  // namespace waferpair::pairing
