// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of what is typed behind ":".
#pragma once

#include <QString>

namespace waferpair::editor {

// Takes what is before the separator that is not escaped, which goes along.
QString takeExPart(QStringView* rest, QChar separator);

}  // namespace waferpair::editor
