// SPDX-License-Identifier: GPL-3.0-or-later
// Chat Completions as OpenAI defines them and llama-server, Ollama, vLLM and LM Studio speak them.
#pragma once

#include "pairing/endpoints/reply_decoder.h"

namespace waferpair::pairing {

// The body of a request for a stream.
QJsonObject chatBody(const ModelRequest& request, const QString& model);

class ChatDecoder : public ReplyDecoder {
 public:
  // Behind so many calls a reply is over: small models would go on calling.
  static constexpr int kMostCalls = 16;

  QVector<ReplyEvent> take(QByteArrayView message) override;
  QVector<ReplyEvent> end() override;

 private:
  bool takeCalls(const QJsonObject& delta);
  QVector<ReplyEvent> done();

  QVector<ToolCall> calls_;  // as far as they have come
  qint64 callBytes_ = 0;
  bool isFull_ = false;            // another call has begun
  std::optional<ReplyDone> done_;  // said, but its usage may follow
};

}  // namespace waferpair::pairing
