// SPDX-License-Identifier: GPL-3.0-or-later
// News in the lower right corner of a window's middle, over the text, which stays where it is: the
// latest three, the newest at the bottom. Those that only inform go by themselves; the history has
// all that were said. UI thread only.
#pragma once

#include <QDateTime>

#include "gui/kit/banner.h"

namespace waferpair::gui {

class Notices : public BannerStack {
  Q_OBJECT
 public:
  struct Notice {
    QDateTime at;
    Banner::Kind kind;
    QString text;
  };

  explicit Notices(QWidget* parent);

  // The notices lie over `middle` from now on.
  void layOver(QWidget* middle);

  // Returns the latest first, without those that were the same as the one after them.
  const QList<Notice>& history() const { return history_; }
  void removeAll();

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void keep(Banner* banner);
  void showLatest();
  void place();

  QWidget* middle_ = nullptr;  // outlives this
  QList<Notice> history_;
};

}  // namespace waferpair::gui
