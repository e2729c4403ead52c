// SPDX-License-Identifier: GPL-3.0-or-later
// The plans of a project, a file each (pairing/kept/kept_files.h says how). A plan that another
// window has changed is merged with what is written. UI thread only.
#pragma once

#include <QObject>

#include "pairing/kept/kept_files.h"
#include "pairing/plans/plan.h"

namespace waferpair::pairing {

class PlanStore : public QObject {
  Q_OBJECT
 public:
  // Folders of projects are made in `directory` when first written to.
  explicit PlanStore(const QString& directory, QObject* parent = nullptr);

  // Reads the plans of the project in `folder` (empty: of no project); loaded() follows. What an
  // earlier call reads is dropped.
  void load(const QString& folder);
  // As KeptFiles::save().
  void save(const Plan& plan, const KeptFiles::Written& written = {});
  void remove(const QString& planId) { files_.remove(planId); }
  void flush() { files_.flush(); }

 Q_SIGNALS:
  // The plans changed last come first.
  void loaded(const QVector<waferpair::pairing::Plan>& plans);
  void problem(const QString& text);

 private:
  KeptFiles files_;
};

}  // namespace waferpair::pairing
