// SPDX-License-Identifier: GPL-3.0-or-later
// Quotation marks and apostrophes that an answer writes otherwise than the text does, plain ones as
// printed ones or the reverse: told by the words that it quotes, and put right word by word.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QSet>

namespace waferpair::pairing {

class SignSpellings {
 public:
  explicit SignSpellings(const QByteArray& text);

  // A word of the quote stands in the text, and only with other signs.
  bool differFrom(const QByteArray& quote) const;
  // Gives what is quoted and what takes its place the text's own signs, where they differ. A word
  // whose signs the text does not tell leaves both as they are, so that they differ still.
  void apply(QByteArray* quote, QByteArray* replacement) const;

 private:
  // In the text's own signs; false: it does not tell them.
  bool respell(QByteArray* text) const;

  QHash<QByteArray, QSet<QByteArray>> known_;   // words with signs, by their forms in plain ones
  bool hasPlain_ = false, hasPrinted_ = false;  // apostrophes within words
};

}  // namespace waferpair::pairing
