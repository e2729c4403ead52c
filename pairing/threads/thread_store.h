// SPDX-License-Identifier: GPL-3.0-or-later
// The threads of a project, a file each (pairing/kept/kept_files.h says how). A thread that another
// window has changed is merged with what is written. UI thread only.
#pragma once

#include <QObject>

#include "pairing/kept/kept_files.h"
#include "pairing/threads/thread.h"

namespace waferpair::pairing {

class ThreadStore : public QObject {
  Q_OBJECT
 public:
  // Folders of projects are made in `directory` when first written to.
  explicit ThreadStore(const QString& directory, QObject* parent = nullptr);

  // Reads the threads of the project in `folder` (empty: of no project); loaded() follows. What an
  // earlier call reads is dropped.
  void load(const QString& folder);

  // As KeptFiles::save().
  using Written = KeptFiles::Written;
  void save(const Thread& thread, const Written& written = {});
  void remove(const QString& threadId) { files_.remove(threadId); }
  void flush() { files_.flush(); }

 Q_SIGNALS:
  // The threads changed last come first.
  void loaded(const QVector<waferpair::pairing::Thread>& threads);
  void problem(const QString& text);

 private:
  KeptFiles files_;
};

}  // namespace waferpair::pairing
