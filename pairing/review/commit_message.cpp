// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/review/commit_message.h"

#include "pairing/forms/answer_forms.h"

namespace waferpair::pairing {
namespace {

constexpr int kMostMessageTokens = 400;

}  // namespace

ModelRequest commitRequest(const QString& changes, bool keepsForms) {
  ModelRequest request = ModelRequest::of(
      QStringLiteral(
          "You write the message of a git commit. Its first line is one sentence of at most 72 "
          "characters that says what is so now, without a full stop. Where that is not plain, a "
          "blank line follows and a short paragraph that says why. Answer with the message alone."),
      changes);
  request.mostOutputTokens = kMostMessageTokens;
  if (keepsForms) request.grammar = commitForm();
  return request;
}

QString commitMessageIn(QString answer, bool keepsForms) {
  const QString fence = QStringLiteral("```");
  if (answer.contains(fence)) {
    answer = answer.section(fence, 1, 1);
    answer = answer.mid(answer.indexOf(u'\n') + 1);
  }
  answer = answer.trimmed();
  if (!keepsForms) return answer;
  const QString subject = answer.section(u'\n', 0, 0);
  return fittedSubject(subject) + answer.sliced(subject.size());
}

}  // namespace waferpair::pairing
