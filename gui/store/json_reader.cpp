// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/json_reader.h"

#include <QJsonArray>
#include <QJsonObject>
#include <cctype>

#include "editor/text/word_byte.h"
#include "gui/translate.h"

namespace waferpair::gui {

using editor::isDigitByte;

namespace {

constexpr int kDeepestValue = 64;

// The bytes of numbers and of words, those that JSON does not have included.
bool isLiteralByte(char c) {
  return (editor::isWordByte(c) && (c & 0x80) == 0) || c == '.' || c == '+' || c == '-';
}

}  // namespace

void JsonReader::fail(const QString& text, qsizetype at) {
  if (failed()) return;
  mistake_ = text;
  at_ = at;
}

void JsonReader::skipMark() {
  if (text_.startsWith("\xef\xbb\xbf")) at_ = 3;
}

void JsonReader::skipBlanks() {
  while (!failed() && !atEnd()) {
    const char c = next();
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at_;
    } else if (c == '/' && peek(1) == '/') {
      const qsizetype end = text_.indexOf('\n', at_);
      at_ = end < 0 ? text_.size() : end;
    } else if (c == '/' && peek(1) == '*') {
      const qsizetype end = text_.indexOf("*/", at_ + 2);
      if (end < 0) return fail(tr("This comment has no end: “*/” is missing."), at_);
      at_ = end + 2;
    } else {
      return;
    }
  }
}

bool JsonReader::take(char sign) {
  if (failed() || atEnd() || next() != sign) return false;
  ++at_;
  return true;
}

bool JsonReader::escape(QString& into) {
  const char c = next();
  ++at_;
  switch (c) {
    case '"':
    case '\\':
    case '/':
      into += QLatin1Char(c);
      return true;
    case 'b':
      into += u'\b';
      return true;
    case 'f':
      into += u'\f';
      return true;
    case 'n':
      into += u'\n';
      return true;
    case 'r':
      into += u'\r';
      return true;
    case 't':
      into += u'\t';
      return true;
    case 'u': {
      bool isHex = false;
      const QByteArray digits = text_.mid(at_, 4);
      // toUShort() would take a sign or blanks, too.
      for (const char digit : digits) {
        if (!std::isxdigit(static_cast<unsigned char>(digit))) return false;
      }
      const ushort unit = digits.size() == 4 ? digits.toUShort(&isHex, 16) : ushort{0};
      if (!isHex) return false;
      into += QChar(unit);
      at_ += 4;
      return true;
    }
    default:
      return false;
  }
}

QString JsonReader::string() {
  const qsizetype start = at_;
  QString text;
  if (!take('"')) {
    fail(tr("A name in double quotes is expected here."), at_);
    return {};
  }
  qsizetype plain = at_;
  while (!atEnd() && next() != '"' && static_cast<unsigned char>(next()) >= ' ') {
    if (next() != '\\') {
      ++at_;
      continue;
    }
    text += QString::fromUtf8(text_.constData() + plain, at_ - plain);
    const qsizetype backslash = at_++;
    if (!escape(text)) {
      fail(tr("What follows this “\\” means nothing in JSON; a “\\” itself is written “\\\\”."),
           backslash);
      return {};
    }
    plain = at_;
  }
  if (next() != '"') {
    fail(tr("This text has no end: a “\"” is missing."), start);
    return {};
  }
  text += QString::fromUtf8(text_.constData() + plain, at_ - plain);
  ++at_;
  return text;
}

QJsonValue JsonReader::word() {
  const qsizetype start = at_;
  while (!atEnd() && isLiteralByte(next())) ++at_;
  const QByteArray word = text_.mid(start, at_ - start);
  if (word == "true") return true;
  if (word == "false") return false;
  if (word == "null") return QJsonValue::Null;
  fail(word.isEmpty() ? tr("A value is expected here.")
                      : tr("“%1” is no value: texts stand in double quotes.")
                            .arg(QString::fromUtf8(word.left(40))),
       start);
  return QJsonValue::Undefined;
}

QJsonValue JsonReader::number() {
  const qsizetype start = at_;
  bool isWell = true;
  const auto digits = [this, &isWell] {
    const qsizetype first = at_;
    while (isDigitByte(next())) ++at_;
    isWell = isWell && at_ > first;
  };
  take('-');
  const qsizetype whole = at_;
  digits();
  if (text_[whole == text_.size() ? start : whole] == '0' && at_ > whole + 1) isWell = false;
  if (take('.')) digits();
  if (next() == 'e' || next() == 'E') {
    ++at_;
    if (next() == '+' || next() == '-') ++at_;
    digits();
  }
  if (isLiteralByte(next())) isWell = false;
  bool fits = false;
  const double value = text_.mid(start, at_ - start).toDouble(&fits);
  if (!isWell || !fits) {
    fail(tr("This is not a number that JSON knows."), start);
    return QJsonValue::Undefined;
  }
  return value;
}

QJsonValue JsonReader::array(int depth) {
  QJsonArray values;
  take('[');
  skipBlanks();
  while (!failed() && !take(']')) {
    values.append(value(depth + 1));
    skipBlanks();
    if (!take(',') && next() != ']') fail(tr("A comma or “]” is expected here."), at_);
    skipBlanks();
  }
  return values;
}

QJsonValue JsonReader::object(int depth) {
  QJsonObject members;
  take('{');
  skipBlanks();
  while (!failed() && !take('}')) {
    const QString name = string();
    skipBlanks();
    if (!take(':')) fail(tr("A colon is expected here."), at_);
    skipBlanks();
    const QJsonValue one = value(depth + 1);
    if (failed()) break;
    members.insert(name, one);
    skipBlanks();
    if (!take(',') && next() != '}') fail(tr("A comma or “}” is expected here."), at_);
    skipBlanks();
  }
  return members;
}

QJsonValue JsonReader::value(int depth) {
  if (failed()) return QJsonValue::Undefined;
  if (depth > kDeepestValue) {
    fail(tr("Values are nested too deeply here."), at_);
    return QJsonValue::Undefined;
  }
  const char c = next();
  if (c == '"') return string();
  if (c == '[') return array(depth);
  if (c == '{') return object(depth);
  if (c == '-' || isDigitByte(c)) return number();
  return word();
}

}  // namespace waferpair::gui
