// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace waferpair::editor {

class TextView;

// Has assistive technology say `words`, politely. Empty: what was said last is over.
void announce(TextView* editor, const QString& words);

}  // namespace waferpair::editor
