// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes written for the user: a KiB is 1,024 bytes, a kB would be 1,000.
#pragma once

#include <QLocale>
#include <QString>

namespace waferpair::editor {

// "128 KiB", or with one decimal "128.0 KiB".
inline QString sizeText(qint64 bytes, int decimals = 0) {
  return QLocale().formattedDataSize(bytes, decimals, QLocale::DataSizeIecFormat);
}

}  // namespace waferpair::editor
