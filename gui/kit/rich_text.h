// SPDX-License-Identifier: GPL-3.0-or-later
// Prose in Markdown, as high as it is. What a model wrote is taken for text only: HTML stands there
// as it was written, no picture is loaded from anywhere, and a link does nothing by itself.
#pragma once

#include <QTextBrowser>

namespace waferpair::gui {

class RichText : public QTextBrowser {
  Q_OBJECT
 public:
  explicit RichText(QWidget* parent);

  void showMarkdown(const QString& markdown);

  QVariant loadResource(int type, const QUrl& name) override;

 Q_SIGNALS:
  void linkClicked(const QUrl& address);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void render();
  void fit();

  QString markdown_;
};

}  // namespace waferpair::gui
