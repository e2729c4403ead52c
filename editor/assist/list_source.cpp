// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/list_source.h"

namespace waferpair::editor {

bool ListSource::opensBehind(const DocumentId&, QByteArrayView) const { return false; }

QVector<TextEdit> ListSource::editsWith(const ListItem&) const { return {}; }

void ListSource::describe(const ListItem&) {}

}  // namespace waferpair::editor
