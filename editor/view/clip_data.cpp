// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/clip_data.h"

#include <QMimeData>
#include <QString>

#include "editor/text/text_codec.h"

namespace waferpair::editor {

namespace {

constexpr char kBytes[] = "application/x-waferpair-bytes";

}  // namespace

QMimeData* clipOf(const QByteArray& utf8) {
  auto* data = new QMimeData;
  data->setText(exactUtf8(utf8));
  addBytes(data, utf8);
  return data;
}

void addBytes(QMimeData* data, const QByteArray& utf8) {
  if (!utf8.isValidUtf8()) data->setData(QLatin1String(kBytes), utf8);
}

bool hasBytes(const QMimeData& data) { return data.hasFormat(QLatin1String(kBytes)); }

QByteArray clippedText(const QMimeData& data) {
  if (hasBytes(data)) return data.data(QLatin1String(kBytes));
  return data.text().toUtf8();
}

}  // namespace waferpair::editor
