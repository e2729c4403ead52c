// SPDX-License-Identifier: GPL-3.0-or-later
// A tick and a cross at the right end of each offered change that can be seen: the mouse's way to
// accept and to reject it. UI thread only.
#pragma once

#include <QObject>
#include <QVector>
#include <memory>

class QFrame;
class QToolButton;

namespace waferpair::gui {

class Document;

class HunkButtons : public QObject {
  Q_OBJECT
 public:
  // The buttons are children of the document's text, and go with it.
  explicit HunkButtons(Document* document);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // `hunk` is the index of the one that the two are for just now.
  struct Pair {
    QFrame* frame;
    QToolButton* accept;
    QToolButton* reject;
    std::shared_ptr<qsizetype> hunk;
  };

  void placeSoon();
  void place();
  Pair makePair();

  Document* document_;
  QVector<Pair> pairs_;  // as many as were ever seen at a time
  bool posted_ = false;
};

}  // namespace waferpair::gui
