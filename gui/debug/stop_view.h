// SPDX-License-Identifier: GPL-3.0-or-later
// Where a program that is debugged stands, as it is seen in its text: the line with an arrow, the
// values of names behind their lines, and what a name is worth under the mouse. UI thread only.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>

#include "gui/debug/debug_parts.h"

namespace waferpair::workbench {
class VariablesModel;
}

namespace waferpair::gui {

class DebugRunner;
class Document;

class StopView : public QObject {
  Q_OBJECT
 public:
  // All outlive this. `variables` are those of the current frame.
  StopView(const DebugParts& parts, DebugRunner* runner, workbench::VariablesModel* variables,
           QObject* parent);

  // The expression at a byte of a text, or what is selected there: "point.x", for hovers and
  // watches. Empty: there is none.
  static QString expressionAt(Document* document, qint64 offset);

 Q_SIGNALS:
  // It stands where there is no text to show.
  void textless();

 private:
  void follow();
  void show();
  void clear();
  void showValues();
  void tellValue(Document* document, qint64 offset,
                 const std::function<void(const QString& markdown)>& tell);

  DebugParts p_;
  DebugRunner* runner_;
  workbench::VariablesModel* variables_;
  QPointer<Document> shown_;
  int line_ = -1;
};

}  // namespace waferpair::gui
