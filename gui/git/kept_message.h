// SPDX-License-Identifier: GPL-3.0-or-later
// The message of a commit that is being written, for each repository, kept on disk until it is
// made. UI thread only; a thread of its own writes the file.
#pragma once

#include <QString>
#include <QThreadPool>

namespace waferpair::gui {

class KeptMessages {
 public:
  static constexpr qsizetype kMostRepositories = 100;    // those written to last
  static constexpr qsizetype kMostOfMessage = 64 << 10;  // UTF-16 units

  // The file is made when first written to; one that is damaged has no messages.
  explicit KeptMessages(QString file);
  ~KeptMessages();  // what was kept is in the file
  Q_DISABLE_COPY_MOVE(KeptMessages)

  struct Message {
    QString text;
    bool amends = false;
    bool operator==(const Message&) const = default;
  };
  // `folder`: the repository's work folder.
  Message of(const QString& folder) const;
  // An empty text is forgotten.
  void keep(const QString& folder, const Message& message);

 private:
  QString file_;
  QThreadPool writer_;  // one thread: the last one written is the last one kept
};

}  // namespace waferpair::gui
