// SPDX-License-Identifier: GPL-3.0-or-later
// Colors of parts of a text, over those that its grammar gives: what a name is, where somebody
// knows. They are the theme's own colors, as readable as other text. Drawn by Scintilla, so they
// move with the text by themselves until they are set anew. UI thread only.
#pragma once

#include <QHash>
#include <QObject>
#include <QVector>

namespace waferpair::editor {

class TextView;

struct Tint {
  enum class Kind { kNamespace, kType, kFunction, kMacro, kParameter, kMember, kConstant, kFaint };
  qint64 start = 0;
  qint64 end = 0;
  Kind kind = Kind::kType;

  bool operator==(const Tint&) const = default;
};

class TextTints : public QObject {
  Q_OBJECT
 public:
  // Owned by the editor.
  explicit TextTints(TextView* editor);

  // Has these in bytes [start, end), in order, instead of what is drawn there. What is drawn right
  // already is not painted again.
  void set(qint64 start, qint64 end, const QVector<Tint>& tints);
  void clear();

  // The color of the byte at `offset` where it has one of these, as Scintilla has colors (BGR);
  // negative: it has none. Any editor.
  static long colorAt(const TextView& editor, qint64 offset);

 Q_SIGNALS:
  // All have gone, as the theme is another.
  void lookChanged();

 private:
  void defineLook();
  long valueOf(Tint::Kind kind) const;
  bool areDrawn(qint64 start, qint64 end, const QVector<Tint>& tints) const;

  TextView* editor_;
  QVector<long> values_;  // by kind
};

}  // namespace waferpair::editor
