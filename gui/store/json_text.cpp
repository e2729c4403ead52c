// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/json_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QStringDecoder>
#include <algorithm>
#include <cassert>
#include <utility>

#include "editor/text/word_byte.h"
#include "gui/store/json_reader.h"
#include "gui/translate.h"

namespace waferpair::gui {

using editor::isBlankByte;

namespace {

// Returns the first byte from which on `text` is no UTF-8, or its size.
qsizetype validUtf8(const QByteArray& text) {
  QStringDecoder whole(QStringDecoder::Utf8);
  [[maybe_unused]] const QString decoded = whole(text);
  if (!whole.hasError()) return text.size();
  qsizetype low = 0;
  qsizetype high = text.size();  // the text up to here has an error
  while (high - low > 1) {
    const qsizetype middle = (low + high) / 2;
    QStringDecoder part(QStringDecoder::Utf8);
    [[maybe_unused]] const QString start = part(QByteArrayView(text).first(middle));
    (part.hasError() ? high : low) = middle;
  }
  return low;
}

JsonText::Mistake mistakeAt(const QByteArray& text, qsizetype at, const QString& why) {
  const QByteArray before = text.left(at);
  const qsizetype start = before.lastIndexOf('\n') + 1;
  return {static_cast<int>(before.count('\n')) + 1,
          static_cast<int>(QString::fromUtf8(before.mid(start)).size()) + 1, why};
}

}  // namespace

QByteArray jsonLine(const QJsonValue& value) {
  QByteArray line = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
  line.chop(1);
  return line.mid(1);
}

JsonText::JsonText(QByteArray text) : text_(std::move(text)) { read(); }

void JsonText::read() {
  members_.clear();
  values_ = {};
  open_ = close_ = -1;
  if (const qsizetype valid = validUtf8(text_); valid < text_.size()) {
    mistake_ = mistakeAt(text_, valid, tr("This is no text in UTF-8."));
    return;
  }
  JsonReader reader(text_);
  reader.skipMark();
  reader.skipBlanks();
  if (!reader.failed() && !reader.atEnd()) {
    open_ = reader.at();
    if (!reader.take('{')) reader.fail(tr("The settings stand between “{” and “}”."), open_);
    reader.skipBlanks();
    while (!reader.failed() && reader.next() != '}') {
      Member member;
      member.start = reader.at();
      member.name = reader.string();
      reader.skipBlanks();
      if (!reader.take(':')) reader.fail(tr("A colon is expected here."), reader.at());
      reader.skipBlanks();
      member.value = reader.at();
      const QJsonValue value = reader.value(1);
      member.end = reader.at();
      reader.skipBlanks();
      if (reader.next() == ',') {
        member.comma = reader.at();
        reader.take(',');
      } else if (reader.next() != '}') {
        reader.fail(tr("A comma or “}” is expected here."), reader.at());
      }
      reader.skipBlanks();
      if (reader.failed()) break;
      values_.insert(member.name, value);
      members_.append(member);
    }
    close_ = reader.at();
    reader.take('}');
    reader.skipBlanks();
    if (!reader.atEnd()) reader.fail(tr("Nothing may follow the last “}”."), reader.at());
  }
  if (!reader.failed()) return;
  mistake_ = mistakeAt(text_, reader.at(), reader.mistake());
  values_ = {};
}

QStringList JsonText::names() const {
  QStringList names;
  for (const Member& member : members_)
    if (!names.contains(member.name)) names.append(member.name);
  return names;
}

int JsonText::find(const QString& name) const {
  for (qsizetype i = members_.size() - 1; i >= 0; --i)
    if (members_[i].name == name) return static_cast<int>(i);
  return -1;
}

int JsonText::lineOf(const QString& name) const {
  const int found = find(name);
  if (found < 0) return 0;
  return static_cast<int>(QByteArrayView(text_).first(members_[found].start).count('\n')) + 1;
}

void JsonText::set(const QString& name, const QJsonValue& value) {
  assert(!mistake_ && !value.isUndefined());
  const QByteArray line = jsonLine(value);
  if (const int found = find(name); found >= 0) {
    const Member& member = members_[found];
    text_.replace(member.value, member.end - member.value, line);
  } else {
    append(jsonLine(name) + ": " + line);
  }
  read();
}

void JsonText::append(const QByteArray& member) {
  const QByteArray lineEnd = text_.contains("\r\n") ? "\r\n" : "\n";
  if (open_ < 0) {
    if (!text_.isEmpty() && !text_.endsWith('\n') && text_ != "\xef\xbb\xbf") text_ += lineEnd;
    text_ += '{' + lineEnd + "  " + member + lineEnd + '}' + lineEnd;
    return;
  }
  if (members_.isEmpty()) {
    // Behind the comments.
    qsizetype last = close_;
    while (last > open_ + 1 && QByteArrayView(" \t\r\n").contains(text_[last - 1])) --last;
    const bool endsLine = text_.mid(last, close_ - last).contains('\n');
    text_.insert(last, lineEnd + "  " + member + (endsLine ? QByteArray() : lineEnd));
    return;
  }
  const Member& first = members_.first();
  const Member& last = members_.last();
  const bool isInOneLine = !text_.mid(open_, last.start - open_).contains('\n');
  const bool endsWithComma = last.comma >= 0;
  qsizetype at = endsWithComma ? last.comma + 1 : last.end;
  if (isInOneLine) {
    text_.insert(at, (endsWithComma ? " " : ", ") + member + (endsWithComma ? "," : ""));
    return;
  }
  qsizetype indent = first.start;
  while (isBlankByte(text_[indent - 1])) --indent;
  const QByteArray blanks =
      text_[indent - 1] == '\n' ? text_.mid(indent, first.start - indent) : QByteArray("  ");
  // A comment in the line of the last value belongs to that.
  qsizetype behind = at;
  while (behind < close_ && text_[behind] != '\n' && text_[behind] != '\r') {
    if (text_.mid(behind, 2) == "//") {
      behind = text_.indexOf('\n', behind);
      if (text_[behind - 1] == '\r') --behind;
    } else if (text_.mid(behind, 2) == "/*") {
      behind = text_.indexOf("*/", behind + 2) + 2;
    } else {
      ++behind;
    }
  }
  const bool endsLine = behind < close_;
  text_.insert(behind, lineEnd + blanks + member + (endsWithComma ? "," : "") +
                           (endsLine ? QByteArray() : lineEnd));
  if (!endsWithComma) text_.insert(last.end, ',');
}

void JsonText::remove(const QString& name) {
  assert(!mistake_);
  for (int found = find(name); found >= 0; found = find(name)) {
    removeMember(found);
    read();
  }
}

void JsonText::removeMember(qsizetype index) {
  const Member member = members_[index];
  const bool isLast = index == members_.size() - 1;
  // From the back to the front, so that places stay.
  if (member.comma >= 0) text_.remove(member.comma, 1);
  qsizetype start = member.start;
  qsizetype end = member.end;
  while (end < text_.size() && isBlankByte(text_[end])) ++end;
  while (isBlankByte(text_[start - 1])) --start;
  const bool startsLine = text_[start - 1] == '\n';
  const bool endsLine = text_[end] == '\n' || text_.mid(end, 2) == "\r\n";
  if (startsLine && endsLine) {
    text_.remove(start, text_.indexOf('\n', end) + 1 - start);
  } else {
    // What else is in its line stays where it is.
    text_.remove(member.start, (startsLine ? end : member.end) - member.start);
    if (!startsLine && index == 0 && isBlankByte(text_[member.start]) &&
        isBlankByte(text_[member.start - 1]))
      text_.remove(member.start, 1);
  }
  if (isLast && index > 0 && member.comma < 0) text_.remove(members_[index - 1].comma, 1);
}

}  // namespace waferpair::gui
