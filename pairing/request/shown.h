// SPDX-License-Identifier: GPL-3.0-or-later
// What a model or an agent may be shown. Only the gate makes such a value, of what has no secret in
// it (runtime/exclusions/secret_text.h), and endpoints and agents take nothing else: whatever goes
// to them has passed it, typed or read, and a caller says what becomes of what has not.
#pragma once

#include <QString>
#include <QStringList>
#include <utility>

#include "editor/text/result.h"

namespace waferpair::pairing {

// What is wrong with a text: "it has a GitHub token in it"; empty: it may be shown.
QString secretInText(QStringView text);

inline QStringList textsOf(const QString& text) { return {text}; }

// The error says which kind of secret there is; nothing was sent.
editor::Result<void> mayShow(const QStringList& texts);

// `Value` has textsOf(value): all the texts that go out with it.
template <typename Value>
class Shown {
 public:
  static editor::Result<Shown> of(Value value) {
    if (auto may = mayShow(textsOf(value)); !may) return tl::unexpected(may.error());
    return Shown(std::move(value));
  }

  const Value& operator*() const { return value_; }
  const Value* operator->() const { return &value_; }

 private:
  explicit Shown(Value value) : value_(std::move(value)) {}

  Value value_;
};

using ShownText = Shown<QString>;

}  // namespace waferpair::pairing
