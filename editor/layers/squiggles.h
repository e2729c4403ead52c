// SPDX-License-Identifier: GPL-3.0-or-later
// Lines under parts of a text that something is said about. Each kind has a shape of its own, so
// that they are told apart without color. Drawn by Scintilla, so they move with the text by
// themselves until they are set anew. UI thread only.
#pragma once

#include <QObject>
#include <QVector>

namespace waferpair::editor {

class TextView;

struct Squiggle {
  enum class Kind { kError, kWarning, kNote };
  qint64 start = 0;
  qint64 end = 0;  // an empty range is drawn under the character behind or before it
  Kind kind = Kind::kError;

  bool operator==(const Squiggle&) const = default;
};

class Squiggles : public QObject {
  Q_OBJECT
 public:
  // Owned by the editor.
  explicit Squiggles(TextView* editor);

  // Replaces what is drawn.
  void set(const QVector<Squiggle>& squiggles);

 private:
  void defineLook();

  TextView* editor_;
  bool areDrawn_ = false;
};

}  // namespace waferpair::editor
