// SPDX-License-Identifier: GPL-3.0-or-later
// A column of words in a margin beside the lines of a text that are no part of it: who wrote them.
// The words move with their lines. A second view shows those of the text that it mirrors. UI thread
// only.
#pragma once

#include <QObject>
#include <QStringList>

namespace waferpair::editor {

class TextView;

class MarginWords : public QObject {
  Q_OBJECT
 public:
  // That of an editor, which owns it; made when first asked for.
  static MarginWords* of(TextView* editor);

  // Replaces the words: of the first lines, an empty text for none. The column is as wide as the
  // longest.
  void set(const QStringList& words);
  // There are none any more: the room is given back.
  void clear();
  bool isShown() const { return isShown_; }
  // What stands beside the line by now.
  QString words(int line) const;

  // For a second view: it has room for them where `source`, the text's own, has, and a click there
  // is one here.
  void follow(MarginWords* source);

 Q_SIGNALS:
  void changed();
  void clicked(int line);

 private:
  explicit MarginWords(TextView* editor);
  void applyLook();

  TextView* editor_;
  MarginWords* source_ = nullptr;  // that a second view follows
  QByteArray longest_;
  bool isShown_ = false;
};

}  // namespace waferpair::editor
