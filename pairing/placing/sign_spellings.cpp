// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/sign_spellings.h"

#include <QRegularExpression>
#include <QString>

#include "pairing/placing/repairs.h"

namespace waferpair::pairing {
namespace {

// A word: what stands between blanks, with a sign in it.
const QRegularExpression& signedWord() {
  static const QRegularExpression word(
      QStringLiteral("[^ \\t\\r\\n]*['\"\u2018\u2019\u201c\u201d][^ \\t\\r\\n]*"));
  return word;
}

QByteArray inPlain(const QByteArray& word) { return repaired(Repair::kPlainSigns, word); }

// Each apostrophe between letters becomes this one. False: the word has other signs, too.
bool respellApostrophes(QString* word, const QString& sign) {
  static const QRegularExpression within(QStringLiteral("(?<=\\w)['\u2019](?=\\w)"));
  QString rest = *word;
  rest.remove(within);
  if (signedWord().match(rest).hasMatch()) return false;
  word->replace(within, sign);
  return true;
}

}  // namespace

SignSpellings::SignSpellings(const QByteArray& text) {
  static const QRegularExpression plain(QStringLiteral("\\w'\\w"));
  static const QRegularExpression printed(QStringLiteral("\\w\u2019\\w"));
  const QString all = QString::fromUtf8(text);
  hasPlain_ = all.contains(plain);
  hasPrinted_ = all.contains(printed);
  for (auto match = signedWord().globalMatch(all); match.hasNext();) {
    const QByteArray word = match.next().captured().toUtf8();
    known_[inPlain(word)].insert(word);
  }
}

bool SignSpellings::differFrom(const QByteArray& quote) const {
  for (auto match = signedWord().globalMatch(QString::fromUtf8(quote)); match.hasNext();) {
    const QByteArray word = match.next().captured().toUtf8();
    const auto known = known_.constFind(inPlain(word));
    if (known != known_.cend() && !known->contains(word)) return true;
  }
  return false;
}

bool SignSpellings::respell(QByteArray* text) const {
  const QString all = QString::fromUtf8(*text);
  QString made;
  qsizetype from = 0;
  for (auto match = signedWord().globalMatch(all); match.hasNext();) {
    const QRegularExpressionMatch found = match.next();
    QString word = found.captured();
    const QSet<QByteArray> ways = known_.value(inPlain(word.toUtf8()));
    if (ways.size() == 1) {
      word = QString::fromUtf8(*ways.cbegin());
    } else if (!ways.isEmpty() || hasPlain_ == hasPrinted_ ||
               !respellApostrophes(&word, hasPlain_ ? QStringLiteral("'") : QString(u'\u2019'))) {
      return false;
    }
    made.append(QStringView(all).sliced(from, found.capturedStart() - from)).append(word);
    from = found.capturedEnd();
  }
  *text = made.append(QStringView(all).sliced(from)).toUtf8();
  return true;
}

void SignSpellings::apply(QByteArray* quote, QByteArray* replacement) const {
  if (!differFrom(*quote)) return;
  QByteArray oldText = *quote, newText = *replacement;
  if (!respell(&oldText) || !respell(&newText)) return;
  *quote = oldText;
  *replacement = newText;
}

}  // namespace waferpair::pairing
