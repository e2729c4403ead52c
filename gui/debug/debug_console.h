// SPDX-License-Identifier: GPL-3.0-or-later
// What the program and its debug adapter print, and a field for expressions and the adapter's own
// commands. The last 10,000 lines are kept. UI thread only.
#pragma once

#include <QTimer>
#include <QWidget>

class QLineEdit;
class QPlainTextEdit;

namespace waferpair::gui {

class DebugRunner;

class DebugConsole : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kMostLines = 10'000;

  // `runner` outlives this.
  DebugConsole(DebugRunner* runner, const QFont& font, QWidget* parent);

  void setConsoleFont(const QFont& font);
  void enter();
  void clear();
  QString text() const;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void say(const QString& category, const QString& text);
  void flush();
  void run();
  void recall(int direction);

  struct Piece {
    QString category;
    QString text;
  };
  DebugRunner* runner_;
  QPlainTextEdit* output_;
  QLineEdit* input_;
  QVector<Piece> waiting_;  // to be shown, at most once a frame
  qsizetype waitingSize_ = 0;
  QTimer soon_{this};
  QStringList history_;  // the latest last
  qsizetype recalled_ = -1;
};

}  // namespace waferpair::gui
