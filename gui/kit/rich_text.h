// SPDX-License-Identifier: GPL-3.0-or-later
// A piece of prose in Markdown (editor/widget/prose.h), as high as it is. A link does nothing by
// itself.
#pragma once

#include <QTextBrowser>

#include "editor/widget/prose.h"

namespace waferpair::gui {

class RichText : public QTextBrowser {
  Q_OBJECT
 public:
  explicit RichText(QWidget* parent);

  // The width that it is going to have once it is shown: a text that is laid out for it need not be
  // once more. To be called before that.
  void expectWidth(int width);
  void showPiece(const editor::ProsePiece& piece);
  // All of a text of a few kilobytes.
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
  bool isLaidOut() const;

  editor::ProsePiece piece_;
  bool isCut_ = false;  // piece_ is a piece; otherwise it has yet to be cut
};

}  // namespace waferpair::gui
