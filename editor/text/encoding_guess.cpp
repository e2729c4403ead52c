// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/encoding_guess.h"

#include <unicode/ucsdet.h>

#include <QString>
#include <algorithm>
#include <memory>
#include <optional>

#include "editor/text/icu_converter.h"
#include "editor/text/text_codec.h"

namespace waferpair::editor {

namespace {

constexpr qsizetype kSampleBytes = 8 * 1024;  // ICU looks at no more
constexpr qsizetype kLongestWord = 256;
// Of confidence, 0 to 100. ICU gives 10 to whatever is possible at all.
constexpr int kSureOfPairs = 80;  // encodings of two bytes a character
constexpr int kSureOfLetters = 20;
constexpr int kCyrillic = 40;  // of words whose letters have the case that words have
// Parts of all characters beyond ASCII.
constexpr double kMostlyLetters = 0.9;
constexpr double kMostlyWestern = 0.8;
constexpr qsizetype kFewest = 3;  // letters: fewer say nothing of a script

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool isBeyondAscii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

struct CloseDetector {
  void operator()(UCharsetDetector* detector) const { ucsdet_close(detector); }
};

struct Match {
  Encoding encoding;
  int confidence;
};

std::optional<Encoding> encodingOfIcu(const QString& name) {
  // Those that ICU tells apart by less than we do. Windows-1252 has all of ISO-8859-1.
  if (name == u"ISO-8859-1") return Encoding::kWindows1252;
  if (name == u"ISO-8859-8-I") return Encoding::kIso8859_8;
  for (const Encoding encoding : allEncodings())
    if (name.compare(encodingName(encoding), Qt::CaseInsensitive) == 0) return encoding;
  return {};
}

bool isOfPairs(Encoding encoding) { return encoding >= Encoding::kShiftJis; }

QVector<Match> matchesOfIcu(const QByteArray& sample) {
  QVector<Match> matches;
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UCharsetDetector, CloseDetector> detector(ucsdet_open(&status));
  if (U_FAILURE(status)) return matches;
  ucsdet_setText(detector.get(), sample.constData(), static_cast<int32_t>(sample.size()), &status);
  int32_t count = 0;
  const UCharsetMatch** const found = ucsdet_detectAll(detector.get(), &count, &status);
  if (U_FAILURE(status)) return matches;
  for (int32_t i = 0; i < count; ++i) {
    const auto encoding = encodingOfIcu(QString::fromLatin1(ucsdet_getName(found[i], &status)));
    // UTF-8 it is not, and UTF-16 has no words between blanks of one byte.
    if (!encoding || encodingName(*encoding).startsWith(u"UTF")) continue;
    matches.append({*encoding, ucsdet_getConfidence(found[i], &status)});
  }
  return matches;
}

// The words in that encoding; null where they are not of it.
QString decoded(const QByteArray& words, Encoding encoding) {
  if (const char* name = icuName(encoding)) {
    IcuConverter converter(name);
    QByteArray utf8;
    return converter.decode(words, &utf8) ? exactUtf8(utf8) : QString();
  }
  return exactUtf8(TextDecoder(encoding).feed(words));
}

// What western texts have among their words besides letters.
bool isUsualSign(QChar c) {
  static const QString kSigns =
      QStringLiteral("\u00A0¡¢£¥§©«­®°±²³´µ¶·¹º»¼½¾¿×÷€‚„…‰‹Œ‘’“”•–—™›†‡");
  return kSigns.contains(c);
}

// Letters beyond ASCII stand beside ones of ASCII, or are few in a row; and there are usual signs.
bool looksWestern(const QByteArray& words) {
  const QString text = decoded(words, Encoding::kWindows1252);
  const auto isAsciiLetter = [&text](qsizetype at) {
    return at >= 0 && at < text.size() && text.at(at).unicode() < 0x80 && text.at(at).isLetter();
  };
  const auto isAccented = [&text](qsizetype at) {
    // ÿ is the byte FF, which no text has as often as other data have.
    return at >= 0 && at < text.size() && text.at(at).unicode() >= 0x80 && text.at(at).isLetter() &&
           text.at(at) != QChar(0xFF);
  };
  qsizetype odd = 0;
  qsizetype usual = 0;
  for (qsizetype at = 0; at < text.size(); ++at) {
    if (text.at(at).unicode() < 0x80) continue;
    ++odd;
    const bool isBeside = isAsciiLetter(at - 1) || isAsciiLetter(at + 1);
    const bool isOfFew = !(isAccented(at - 1) && isAccented(at + 1)) &&
                         !(isAccented(at - 1) && isAccented(at - 2)) &&
                         !(isAccented(at + 1) && isAccented(at + 2));
    if (isAccented(at) ? isBeside || isOfFew : isUsualSign(text.at(at))) ++usual;
  }
  return odd > 0 && static_cast<double>(usual) >= kMostlyWestern * static_cast<double>(odd);
}

// Almost all that is beyond ASCII are letters, and they do not mix with those of ASCII.
bool looksLikeWordsOfItsScript(const QString& text) {
  qsizetype odd = 0;
  qsizetype letters = 0;
  qsizetype mixed = 0;
  for (qsizetype at = 0; at < text.size(); ++at) {
    const QChar c = text.at(at);
    if (c.unicode() < 0x80) continue;
    ++odd;
    if (c.isLetter() || c.isMark() || isUsualSign(c)) ++letters;
    const auto isAsciiLetter = [&text](qsizetype beside) {
      return beside >= 0 && beside < text.size() && text.at(beside).unicode() < 0x80 &&
             text.at(beside).isLetter();
    };
    if (isAsciiLetter(at - 1) || isAsciiLetter(at + 1)) ++mixed;
  }
  return odd >= kFewest &&
         static_cast<double>(letters) >= kMostlyLetters * static_cast<double>(odd) &&
         static_cast<double>(mixed) <= (1 - kMostlyLetters) * static_cast<double>(odd);
}

// Words have no capital behind a small letter. In the wrong one of the Cyrillic encodings they do.
bool looksCyrillic(const QString& text) {
  qsizetype letters = 0;
  qsizetype wrong = 0;
  QChar before;
  for (const QChar c : text) {
    if (c.unicode() >= 0x80) {
      const bool isCyrillic = c.script() == QChar::Script_Cyrillic && c.isLetter();
      if (isCyrillic) ++letters;
      if (!isCyrillic && !isUsualSign(c) && c != u'№') ++wrong;
      if (isCyrillic && c.isUpper() && before.isLower()) ++wrong;
    }
    before = c;
  }
  return letters >= kFewest &&
         static_cast<double>(wrong) <= (1 - kMostlyLetters) * static_cast<double>(letters) / 2;
}

bool isLatin(Encoding encoding) {
  switch (encoding) {
    case Encoding::kWindows1252:
    case Encoding::kWindows1250:
    case Encoding::kWindows1254:
    case Encoding::kIso8859_2:
    case Encoding::kIso8859_9:
      return true;
    default:
      return false;
  }
}

}  // namespace

void EncodingSample::feed(const QByteArray& bytes) {
  if (words_.size() >= kSampleBytes) return;
  for (const char c : bytes) {
    if (!isBlank(c)) {
      isOdd_ = isOdd_ || isBeyondAscii(c);
      word_.append(c);
      if (word_.size() < kLongestWord) continue;
    }
    if (isOdd_) words_ += word_ + ' ';
    word_.clear();
    isOdd_ = false;
    if (words_.size() >= kSampleBytes) return;
  }
}

QByteArray EncodingSample::words() const { return isOdd_ ? words_ + word_ : words_; }

QVector<Encoding> guessedEncodings(const QByteArray& words) {
  if (words.isEmpty()) return {};
  // Few words say the same as often as they are repeated, but ICU makes little of a few.
  constexpr qsizetype kEnough = 600;
  QByteArray sample = words + ' ';
  while (sample.size() < kEnough) sample += sample;
  QVector<Match> matches = matchesOfIcu(sample);
  for (const Encoding encoding :
       {Encoding::kWindows1251, Encoding::kKoi8R, Encoding::kKoi8U, Encoding::kIbm866}) {
    if (looksCyrillic(decoded(words, encoding))) matches.append({encoding, kCyrillic});
  }
  const bool western = looksWestern(words);
  if (western) matches.append({Encoding::kWindows1252, kSureOfLetters});
  // Where two are as likely, the more usual one is in front.
  std::stable_sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) {
    if (a.confidence != b.confidence) return a.confidence > b.confidence;
    return a.encoding == Encoding::kWindows1252 && b.encoding != a.encoding;
  });
  QVector<Encoding> guesses;
  for (const Match& match : matches) {
    if (guesses.contains(match.encoding)) continue;
    if (match.confidence < (isOfPairs(match.encoding) ? kSureOfPairs : kSureOfLetters)) continue;
    if (!isOfPairs(match.encoding)) {
      const bool fits = isLatin(match.encoding)
                            ? western
                            : looksLikeWordsOfItsScript(decoded(words, match.encoding));
      if (!fits) continue;
    }
    guesses.append(match.encoding);
  }
  return guesses;
}

bool looksWritten(const QString& text) {
  for (const char32_t c : text.toUcs4()) {
    switch (QChar::category(c)) {
      case QChar::Other_Control:
        if (c != U'\t' && c != U'\n' && c != U'\r' && c != U'\f' && c != U'\v' && c != 0x1B)
          return false;
        break;
      case QChar::Other_NotAssigned:
      case QChar::Other_PrivateUse:
      case QChar::Other_Surrogate:
        return false;
      default:
        break;
    }
  }
  return true;
}

}  // namespace waferpair::editor
