// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>

#include "editor/text/edit.h"

namespace waferpair::editor {

class TextView;

// Replaces bytes [start, end) as one undo step, with one caret behind what is put in. `also` are
// edits elsewhere in the text as it is, which are part of that step; none overlaps another, and
// those that touch what is replaced are left out.
void typeOver(TextView* editor, qint64 start, qint64 end, const QByteArray& text,
              const QVector<TextEdit>& also = {});
// Replaces so many bytes before the main caret, and the same bytes before each other caret that has
// them, as one undo step; each caret stays behind what is put in, the others where they are.
void typeOverAtCarets(TextView* editor, qint64 bytes, const QByteArray& text,
                      const QVector<TextEdit>& also = {});

}  // namespace waferpair::editor
