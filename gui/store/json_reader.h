// SPDX-License-Identifier: GPL-3.0-or-later
// Reads JSON with comments from bytes, one token after the other, and says where it stands. It is
// what JsonText is made of.
#pragma once

#include <QByteArray>
#include <QJsonValue>
#include <QString>

namespace waferpair::gui {

class JsonReader {
 public:
  // `text`, UTF-8, outlives this.
  explicit JsonReader(const QByteArray& text) : text_(text) {}

  // From the first mistake on nothing is read.
  bool failed() const { return !mistake_.isEmpty(); }
  const QString& mistake() const { return mistake_; }
  // Where the mistake is, or what is read next.
  qsizetype at() const { return at_; }
  bool atEnd() const { return at_ >= text_.size(); }
  void fail(const QString& text, qsizetype at);

  void skipMark();  // the byte order mark
  // Blanks and comments.
  void skipBlanks();
  // Takes `sign` if it is next.
  bool take(char sign);
  char next() const { return atEnd() ? '\0' : text_[at_]; }
  QString string();
  QJsonValue value(int depth = 0);

 private:
  QJsonValue word();
  QJsonValue number();
  QJsonValue array(int depth);
  QJsonValue object(int depth);
  bool escape(QString& into);
  char peek(qsizetype ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  const QByteArray& text_;
  qsizetype at_ = 0;
  QString mistake_;
};

}  // namespace waferpair::gui
