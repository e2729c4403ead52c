// SPDX-License-Identifier: GPL-3.0-or-later
// A page of the guide as it reads, with pictures from its folder. Nothing is fetched. UI thread
// only.
#pragma once

#include <QTextBrowser>

namespace waferpair::gui {

class GuideView : public QTextBrowser {
  Q_OBJECT
 public:
  explicit GuideView(QWidget* parent = nullptr);

  // Shows the text with pictures from this folder; words of `marked` are marked in it.
  void show(const QString& markdown, const QString& folder, const QString& marked);
  using QWidget::show;
  // Scrolls to the heading with this text; to the top if there is none.
  void goToHeading(const QString& heading);
  void goToFragment(const QString& fragment);

  QVariant loadResource(int type, const QUrl& name) override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void mark(const QString& words);

  QString markdown_;
  QString folder_;
  QString marked_;
  int pictureWidth_ = 0;  // pixels that pictures were fitted to
};

}  // namespace waferpair::gui
