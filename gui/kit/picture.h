// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures that a project brings, which may be anything (runtime/base/guest_file.h): bounded in
// bytes, pixels and work, and an SVG draws nothing but what is in it.
#pragma once

#include <QImage>
#include <QString>
#include <functional>

class QObject;

namespace waferpair::gui {

// A picture with more pixels is not shown: it would take more than 256 MiB of memory.
inline constexpr qint64 kMostPixels = 64'000'000;

struct LoadedImage {
  QImage image;    // null: see `problem`
  QString format;  // "PNG"
  int frames = 1;  // of which the first is shown
  QString problem;
};

// Both take their while. Any thread. The first reads what Qt has a reader for.
LoadedImage loadImage(const QString& path);
LoadedImage loadSvg(const QByteArray& text);

// Loads on a thread and tells on the UI thread, if `context` still lives. UI thread.
void loadInBackground(std::function<LoadedImage()> load, QObject* context,
                      std::function<void(const LoadedImage&)> then);

// Returns whether Qt has a reader for files of that name.
bool isImageName(const QString& path);

}  // namespace waferpair::gui
