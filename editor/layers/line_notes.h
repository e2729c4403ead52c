// SPDX-License-Identifier: GPL-3.0-or-later
// Faint words behind the ends of lines that are no part of the text: what is known of names in
// them. They move with the text, and give way to ghost text and to the hint of the next edit.
// Behind the line, as words within it would move the text under the caret. UI thread only.
#pragma once

#include <QColor>
#include <QObject>
#include <QRegion>
#include <QString>
#include <QVector>
#include <functional>

#include "editor/view/view_part.h"

class QPainter;

namespace waferpair::editor {

class TextView;

struct LineNote {
  qint64 at = 0;  // a byte of the line
  QString text;

  bool operator==(const LineNote&) const = default;
};

class LineNotes : public QObject, public ViewPart {
  Q_OBJECT
 public:
  // Owned by the editor.
  explicit LineNotes(TextView* editor);

  // Replaces what is shown; in order, one for each line.
  void set(const QVector<LineNote>& notes);
  // Where they are by now.
  const QVector<LineNote>& notes() const { return notes_; }
  // Words of more weight, which come before the others of their line: values of a program that
  // stands still. In order, one for each line.
  void setValues(const QVector<LineNote>& values);
  const QVector<LineNote>& values() const { return values_; }

  // Lines of which `isCovered` is true have no room for words of ours.
  void setCover(std::function<bool(int line)> isCovered) { isCovered_ = std::move(isCovered); }

  void paint(QPainter& painter, const QRegion& dirty) override;

 private:
  void defineLook();
  QVector<LineNote> joined() const;

  TextView* editor_;
  QVector<LineNote> notes_;
  QVector<LineNote> values_;
  QColor color_;
  std::function<bool(int line)> isCovered_ = [](int) { return false; };
};

}  // namespace waferpair::editor
