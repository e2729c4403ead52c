// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/code_accessible.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <algorithm>

#include "editor/text/line_ends.h"
#include "editor/text/text_codec.h"
#include "editor/view/text_view.h"
#include "editor/view/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

// Scintilla keeps UTF-16 offsets by line once asked to; from then on a conversion looks at one
// line.
void needIndex(const TextView& editor) {
  if ((editor.sci(Sci::SCI_GETLINECHARACTERINDEX) & Sci::SC_LINECHARACTERINDEX_UTF16) == 0)
    editor.sci(Sci::SCI_ALLOCATELINECHARACTERINDEX, Sci::SC_LINECHARACTERINDEX_UTF16);
}

int unitsBefore(const TextView& editor, qint64 position) {
  needIndex(editor);
  const int line = editor.lineAt(position);
  const long before =
      editor.sci(Sci::SCI_INDEXPOSITIONFROMLINE, word(line), Sci::SC_LINECHARACTERINDEX_UTF16);
  const long inLine = editor.sci(Sci::SCI_COUNTCODEUNITS, word(editor.lineStart(line)),
                                 static_cast<long>(position));
  return static_cast<int>(before + inLine);
}

qint64 positionOf(const TextView& editor, int offset) {
  needIndex(editor);
  if (offset <= 0) return 0;
  if (offset >= unitsBefore(editor, editor.length())) return editor.length();
  const long line =
      editor.sci(Sci::SCI_LINEFROMINDEXPOSITION, word(offset), Sci::SC_LINECHARACTERINDEX_UTF16);
  const long before =
      editor.sci(Sci::SCI_INDEXPOSITIONFROMLINE, word(line), Sci::SC_LINECHARACTERINDEX_UTF16);
  const qint64 start = editor.lineStart(static_cast<int>(line));
  if (offset == before) return start;
  return editor.sci(Sci::SCI_POSITIONRELATIVECODEUNITS, word(start), offset - before);
}

class CodeAccessible : public QAccessibleWidget,
                       public QAccessibleTextInterface,
                       public QAccessibleEditableTextInterface {
 public:
  explicit CodeAccessible(TextView* editor)
      : QAccessibleWidget(editor, QAccessible::EditableText) {}

  void* interface_cast(QAccessible::InterfaceType type) override {
    if (type == QAccessible::TextInterface) return static_cast<QAccessibleTextInterface*>(this);
    if (type == QAccessible::EditableTextInterface)
      return static_cast<QAccessibleEditableTextInterface*>(this);
    return QAccessibleWidget::interface_cast(type);
  }

  QAccessible::State state() const override {
    QAccessible::State state = QAccessibleWidget::state();
    state.multiLine = true;
    state.selectableText = true;
    const bool readOnly = editor().sci(Sci::SCI_GETREADONLY) != 0;
    state.readOnly = readOnly;
    state.editable = !readOnly;
    return state;
  }

  // -- Reading

  int characterCount() const override { return unitsBefore(editor(), editor().length()); }

  QString text(int start, int end) const override {
    return exactUtf8(editor().textRange(positionOf(editor(), start), positionOf(editor(), end)));
  }
  using QAccessibleWidget::text;

  int cursorPosition() const override { return unitsBefore(editor(), editor().caret()); }
  void setCursorPosition(int offset) override {
    const qint64 at = positionOf(editor(), offset);
    editor().setSelection(at, at);
  }

  int selectionCount() const override { return editor().hasSelection() ? 1 : 0; }
  void selection(int index, int* start, int* end) const override {
    *start = *end = 0;
    if (index != 0 || !editor().hasSelection()) return;
    *start = unitsBefore(editor(), editor().sci(Sci::SCI_GETSELECTIONSTART));
    *end = unitsBefore(editor(), editor().sci(Sci::SCI_GETSELECTIONEND));
  }
  void addSelection(int start, int end) override { setSelection(0, start, end); }
  void setSelection(int index, int start, int end) override {
    if (index != 0) return;
    editor().setSelection(positionOf(editor(), start), positionOf(editor(), end));
  }
  void removeSelection(int index) override {
    if (index == 0) editor().setSelection(editor().caret(), editor().caret());
  }

  // Looks at one line where the default implementation would copy the whole text.
  QString textAtOffset(int offset, QAccessible::TextBoundaryType type, int* start,
                       int* end) const override {
    if (type != QAccessible::LineBoundary)
      return QAccessibleTextInterface::textAtOffset(offset, type, start, end);
    const int line = editor().lineAt(positionOf(editor(), offset));
    *start = unitsBefore(editor(), editor().lineStart(line));
    *end = unitsBefore(editor(), editor().lineStart(line + 1));
    return text(*start, *end);
  }

  QString attributes(int, int* start, int* end) const override {
    *start = 0;
    *end = characterCount();
    return {};
  }

  // -- Places on the screen

  QRect characterRect(int offset) const override {
    const qint64 at = positionOf(editor(), offset);
    const qint64 next = editor().sci(Sci::SCI_POSITIONAFTER, word(at));
    const auto x = [this](qint64 p) {
      return static_cast<int>(editor().sci(Sci::SCI_POINTXFROMPOSITION, 0, static_cast<long>(p)));
    };
    const int y =
        static_cast<int>(editor().sci(Sci::SCI_POINTYFROMPOSITION, 0, static_cast<long>(at)));
    const int height = static_cast<int>(editor().sci(Sci::SCI_TEXTHEIGHT));
    const QPoint corner = editor().viewport()->mapToGlobal(QPoint(x(at), y));
    return {corner, QSize(std::max(1, x(next) - x(at)), height)};
  }

  int offsetAtPoint(const QPoint& point) const override {
    const QPoint local = editor().viewport()->mapFromGlobal(point);
    if (!editor().viewport()->rect().contains(local)) return -1;
    return unitsBefore(editor(),
                       editor().sci(Sci::SCI_POSITIONFROMPOINT, word(local.x()), local.y()));
  }

  void scrollToSubstring(int start, int end) override {
    editor().sci(Sci::SCI_SCROLLRANGE, word(positionOf(editor(), end)),
                 static_cast<long>(positionOf(editor(), start)));
  }

  // -- Writing

  void deleteText(int start, int end) override { replaceText(start, end, {}); }
  void insertText(int offset, const QString& text) override { replaceText(offset, offset, text); }
  void replaceText(int start, int end, const QString& text) override {
    editor().replaceRange(positionOf(editor(), start), positionOf(editor(), end),
                          withLineEnds(text.toUtf8(), editor().lineEnds()));
  }

 private:
  TextView& editor() const { return *static_cast<TextView*>(widget()); }
};

QAccessibleInterface* createInterface(const QString& className, QObject* object) {
  if (className != QLatin1String(TextView::staticMetaObject.className())) return nullptr;
  auto* editor = qobject_cast<TextView*>(object);
  return editor == nullptr ? nullptr : new CodeAccessible(editor);
}

}  // namespace

void installAccessibility() {
  static const bool installed = [] {
    QAccessible::installFactory(createInterface);
    return true;
  }();
  Q_UNUSED(installed);
}

void reportAccessibleEdit(TextView* editor, const TextEdit& edit, const QByteArray& removed) {
  const int offset = unitsBefore(*editor, edit.start);
  if (!removed.isEmpty()) {
    QAccessibleTextRemoveEvent event(editor, offset, exactUtf8(removed));
    QAccessible::updateAccessibility(&event);
  }
  if (!edit.text.isEmpty()) {
    QAccessibleTextInsertEvent event(editor, offset, exactUtf8(edit.text));
    QAccessible::updateAccessibility(&event);
  }
}

void reportAccessibleCaret(TextView* editor) {
  QAccessibleTextCursorEvent event(editor, unitsBefore(*editor, editor->caret()));
  QAccessible::updateAccessibility(&event);
}

}  // namespace waferpair::editor
