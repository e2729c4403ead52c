// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the user had the end of what is scrolled in sight: what consents to a text is disabled
// until then. UI thread only.
#pragma once

#include <QObject>
#include <QPointer>
#include <QVector>

class QAbstractButton;
class QAbstractScrollArea;

namespace waferpair::gui {

class SeenToEnd : public QObject {
  Q_OBJECT
 public:
  // The area owns it.
  explicit SeenToEnd(QAbstractScrollArea* area);

  // Another text is there.
  void restart();
  bool isSeen() const { return isSeen_; }
  // The button is disabled until the end was in sight, and its tool tip says so.
  void guard(QAbstractButton* button);
  // Whether a guarded button would be enabled but for this. True until it is said.
  void setWanted(QAbstractButton* button, bool wanted);

 Q_SIGNALS:
  void seen();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Guarded {
    QPointer<QAbstractButton> button;
    QString tip;  // its own
    bool isWanted = true;
  };

  bool isAtEnd() const;
  void check();
  void apply(const Guarded& guarded) const;

  QAbstractScrollArea* area_;
  QVector<Guarded> guarded_;
  bool isSeen_ = false;
  bool posted_ = false;
};

}  // namespace waferpair::gui
