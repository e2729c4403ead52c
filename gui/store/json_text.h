// SPDX-License-Identifier: GPL-3.0-or-later
// A text that a person wrote: JSON with comments (// and /* */) and commas behind the last value.
// It is read with every mistake named by its line, and changed one value at a time: comments, order
// and layout of all else stay as they are, to the byte.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QList>
#include <QString>
#include <optional>

namespace waferpair::gui {

class JsonText {
 public:
  struct Mistake {
    int line = 1;    // from 1
    int column = 1;  // from 1, in characters
    QString text;    // a sentence
  };

  // UTF-8, with or without a byte order mark. A text without any value counts as an empty object.
  explicit JsonText(QByteArray text = {});

  const QByteArray& text() const { return text_; }
  // Without one, the text is an object, and values() are its members. Of equal names the last
  // counts.
  const std::optional<Mistake>& mistake() const { return mistake_; }
  const QJsonObject& values() const { return values_; }
  // In the order of the text, each once.
  QStringList names() const;
  // Returns the line, from 1, of a member of the outermost object; 0: there is none.
  int lineOf(const QString& name) const;

  // Puts the value in the place of the old one, or behind all others. Only for a text without a
  // mistake. `value` is not undefined.
  void set(const QString& name, const QJsonValue& value);
  // A comment beside the value stays.
  void remove(const QString& name);

 private:
  struct Member {
    QString name;
    qsizetype start = 0;  // of the name
    qsizetype value = 0;
    qsizetype end = 0;     // of the value
    qsizetype comma = -1;  // behind it; -1: there is none
  };

  void read();
  int find(const QString& name) const;  // -1: there is none
  void append(const QByteArray& member);
  void removeMember(qsizetype index);

  QByteArray text_;
  std::optional<Mistake> mistake_;
  QJsonObject values_;
  QList<Member> members_;
  qsizetype open_ = -1;  // the outermost braces; -1: there are none
  qsizetype close_ = -1;
};

// Returns the value in one line of JSON.
QByteArray jsonLine(const QJsonValue& value);

}  // namespace waferpair::gui
