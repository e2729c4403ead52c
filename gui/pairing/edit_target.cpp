// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/edit_target.h"

#include "gui/documents/document.h"
#include "gui/translate.h"

namespace waferpair::gui {

using editor::CodeEditor;
using pairing::LineRange;
using pairing::Target;

void EditTarget::set() {
  const CodeEditor* editor = document_->editor();
  const editor::Snapshot text = document_->text();
  const Target target =
      pairing::targetAt(text, editor->sci(QsciScintillaBase::SCI_GETANCHOR), editor->caret());
  kind_ = target.kind;
  range_ = editor::AnchoredRange::growing(text.lineStart(target.lines.first),
                                          text.lineEnd(target.lines.end() - 1));
}

void EditTarget::follow(const QVector<editor::TextEdit>& edits) {
  for (const editor::TextEdit& edit : edits) range_.follow(edit);
}

LineRange EditTarget::lines() const {
  const CodeEditor* editor = document_->editor();
  const int first = editor->lineAt(range_.start());
  return {first, editor->lineAt(range_.end()) - first + 1};
}

QString EditTarget::name() const {
  const LineRange at = lines();
  const QString numbers = at.count == 1 ? tr("line %1").arg(at.first + 1)
                                        : tr("lines %1–%2").arg(at.first + 1).arg(at.end());
  switch (kind_) {
    case Target::Kind::kSelection:
      return tr("Selection, %1").arg(numbers);
    case Target::Kind::kBlock:
      return tr("Block, %1").arg(numbers);
    case Target::Kind::kText:
      return tr("Whole file, %1").arg(numbers);
  }
  Q_UNREACHABLE();
}

}  // namespace waferpair::gui
