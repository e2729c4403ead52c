// SPDX-License-Identifier: GPL-3.0-or-later
// Tells assistive technology of a ghost, politely: once, when it has been there unchanged for a
// moment, never at each key. Costs next to nothing while nothing listens. UI thread only.
#pragma once

#include <QObject>
#include <QTimer>

namespace waferpair::editor {

class TextView;
class GhostText;

class GhostAnnouncer : public QObject {
  Q_OBJECT
 public:
  // Owned by the ghost, which is the editor's.
  GhostAnnouncer(TextView* editor, GhostText* ghost);

  // Tells of the ghost anew when it has been there unchanged for a moment.
  void announceSoon() { settled_.start(); }

 Q_SIGNALS:
  // Sent when `words` have been handed to assistive technology.
  void announced(const QString& words);

 private:
  void announce();
  void forget();

  TextView* editor_;
  GhostText* ghost_;
  QTimer settled_{this};  // runs from a ghost's appearance until it is told of
};

}  // namespace waferpair::editor
