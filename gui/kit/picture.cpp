// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/picture.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QImageReader>
#include <QPainter>
#include <QPointer>
#include <QSvgRenderer>
#include <QThreadPool>
#include <algorithm>
#include <utility>

#include "editor/text/guest_file.h"
#include "gui/kit/svg_check.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

constexpr qint64 kMostPictureBytes = 64 << 20;  // of a file
constexpr int kUsualSvg = 512;                  // pixels, of one that has no size of its own

QString tooLarge(const QSize& size) {
  return tr("This picture has %1 × %2 pixels, more than are shown here (%3 million). Open it in "
            "another program.")
      .arg(size.width())
      .arg(size.height())
      .arg(kMostPixels / 1'000'000);
}

bool isTooLarge(const QSize& size) { return qint64{size.width()} * size.height() > kMostPixels; }

LoadedImage failed(const QString& problem) {
  LoadedImage loaded;
  loaded.problem = problem;
  return loaded;
}

}  // namespace

bool isImageName(const QString& path) {
  const QByteArray suffix = QFileInfo(path).suffix().toLower().toUtf8();
  return !suffix.isEmpty() && QImageReader::supportedImageFormats().contains(suffix);
}

LoadedImage loadImage(const QString& path) {
  const QString name = QFileInfo(path).fileName();
  const auto read = editor::readGuestFile(path, kMostPictureBytes);
  if (!read) return failed(read.error().message());
  if (!*read) return failed(tr("%1 cannot be shown: there is no such file.").arg(name));
  QByteArray bytes = **read;
  QBuffer buffer(&bytes);
  buffer.open(QBuffer::ReadOnly);
  QImageReader reader(&buffer);
  reader.setDecideFormatFromContent(true);
  reader.setAutoTransform(true);
  // Qt's reader of these opens what they name.
  if (reader.format().startsWith("svg")) return loadSvg(bytes);
  LoadedImage loaded;
  loaded.format = QString::fromLatin1(reader.format().toUpper());
  const QSize size = reader.size();
  if (isTooLarge(size)) {
    loaded.problem = tooLarge(size);
    return loaded;
  }
  loaded.frames = std::max(1, reader.imageCount());
  loaded.image = reader.read();
  if (loaded.image.isNull()) {
    loaded.problem =
        tr("%1 cannot be shown: %2. The file may be damaged.").arg(name, reader.errorString());
  }
  return loaded;
}

LoadedImage loadSvg(const QByteArray& text) {
  LoadedImage loaded;
  loaded.format = QStringLiteral("SVG");
  if (const auto checked = checkSvg(text); !checked) {
    loaded.problem = checked.error().message();
    return loaded;
  }
  QSvgRenderer renderer;
  if (!renderer.load(text) || !renderer.isValid()) {
    loaded.problem = tr("This text is no SVG picture that can be shown.");
    return loaded;
  }
  QSize size = renderer.defaultSize();
  if (size.isEmpty()) size = QSize(kUsualSvg, kUsualSvg);
  if (isTooLarge(size)) {
    loaded.problem = tooLarge(size);
    return loaded;
  }
  loaded.image = QImage(size, QImage::Format_ARGB32_Premultiplied);
  loaded.image.fill(Qt::transparent);
  QPainter painter(&loaded.image);
  renderer.render(&painter);
  return loaded;
}

void loadInBackground(std::function<LoadedImage()> load, QObject* context,
                      std::function<void(const LoadedImage&)> then) {
  // One at a time: each may take a quarter of a GiB.
  static QPointer<QThreadPool> pool;
  if (!pool) {
    pool = new QThreadPool(QCoreApplication::instance());
    pool->setMaxThreadCount(1);
  }
  // The thread knows nothing of the context but through the guarded pointer, used on the UI thread.
  pool->start(
      [load = std::move(load), context = QPointer<QObject>(context), then = std::move(then)] {
        LoadedImage loaded = load();
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [context, then, loaded = std::move(loaded)] {
              if (context) then(loaded);
            },
            Qt::QueuedConnection);
      });
}

}  // namespace waferpair::gui
