// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that are gone on with, as OpenAI's older Completions have them and llama-server, vLLM, LM
// Studio and waferd speak them: prompts in the model's own form, no conversation.
#pragma once

#include <QStringList>

#include "pairing/endpoints/reply_decoder.h"

namespace waferpair::pairing {

struct TextRequest {
  QByteArray prompt;  // UTF-8
  QStringList stop;   // the text ends in front of the first of these
  int mostTokens = 0;
};
inline QStringList textsOf(const TextRequest& request) {
  return {QString::fromUtf8(request.prompt)};
}

// The body of a request for a stream of the likeliest tokens, each with its probability.
QJsonObject textBody(const TextRequest& request, const QString& model);

class TextDecoder : public ReplyDecoder {
 public:
  QVector<ReplyEvent> take(QByteArrayView message) override;
  QVector<ReplyEvent> end() override;

 private:
  std::optional<ReplyDone> done_;  // said, but its usage may follow
};

}  // namespace waferpair::pairing
