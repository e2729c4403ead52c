// SPDX-License-Identifier: GPL-3.0-or-later
// A thin bar below a text while changes of any origin are offered there: how many there are, which
// one the caret is at, the ways to the others, and to accept or reject all. It takes no keyboard;
// the commands do the same. UI thread only.
#pragma once

#include <QFrame>

class QLabel;

namespace waferpair::gui {

class Document;

class HunkBar : public QFrame {
  Q_OBJECT
 public:
  // Stands at the lower end of the document, which owns it.
  explicit HunkBar(Document* document);

  // It is not needed while another bar with the same buttons is shown.
  void setNeeded(bool needed);
  // Which answer this is: "answer 2 of 3"; empty: there is one only.
  void setAlternative(const QString& text);

 Q_SIGNALS:
  void stepWanted(int direction);
  void acceptAllWanted();
  void rejectAllWanted();

 private:
  void renewSoon();
  void renew();

  Document* document_;
  bool isNeeded_ = true;
  bool posted_ = false;
  QLabel* count_;
  QLabel* place_;
  QLabel* alternative_;
};

}  // namespace waferpair::gui
