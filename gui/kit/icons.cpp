// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include "gui/kit/theme.h"

// A resource in a static library is linked in only where it is asked for; the macro must not stand
// inside a namespace.
static void initResources() { Q_INIT_RESOURCE(icons); }

namespace waferpair::gui {
namespace {

class TintedIconEngine : public QIconEngine {
 public:
  TintedIconEngine(QString name, IconTint tint) : name_(std::move(name)), tint_(tint) {}

  QIconEngine* clone() const override { return new TintedIconEngine(name_, tint_); }

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
    QPixmap pixmap = scaledPixmap(rect.size() * ratio, mode, state, ratio);
    painter->drawPixmap(rect, pixmap);
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    return scaledPixmap(size, mode, state, 1.0);
  }

  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state,
                       qreal scale) override {
    const QColor color = colorFor(mode, state);
    const QString key = QStringLiteral("wp:%1:%2:%3:%4")
                            .arg(name_, color.name())
                            .arg(size.width())
                            .arg(size.height());
    QPixmap pixmap;
    if (!QPixmapCache::find(key, &pixmap)) {
      pixmap = render(size, color);
      QPixmapCache::insert(key, pixmap);
    }
    pixmap.setDevicePixelRatio(scale);
    return pixmap;
  }

 private:
  QColor colorFor(QIcon::Mode mode, QIcon::State state) const {
    const WindowColors& colors = Theme::instance().colors();
    if (mode == QIcon::Disabled) return colors.faint;
    switch (tint_) {
      case IconTint::kText:
        return colors.text;
      case IconTint::kAccent:
        return colors.accent;
      case IconTint::kDanger:
        return colors.danger;
      case IconTint::kWarning:
        return colors.warning;
      case IconTint::kMuted:
        break;
    }
    const bool lit = mode == QIcon::Active || mode == QIcon::Selected || state == QIcon::On;
    return lit ? colors.text : colors.muted;
  }

  QPixmap render(const QSize& size, const QColor& color) const {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name_));
    if (!file.open(QIODevice::ReadOnly)) {
      qWarning("There is no icon named %s.", qPrintable(name_));
      return pixmap;
    }
    QSvgRenderer renderer(file.readAll().replace("currentColor", color.name().toLatin1()));
    QPainter painter(&pixmap);
    renderer.render(&painter);
    return pixmap;
  }

  QString name_;
  IconTint tint_;
};

}  // namespace

QIcon icon(const QString& name, IconTint tint) {
  initResources();
  return QIcon(new TintedIconEngine(name, tint));
}

QIcon programIcon() {
  initResources();
  return QIcon(QStringLiteral(":/icons/waferpair.svg"));
}

}  // namespace waferpair::gui
