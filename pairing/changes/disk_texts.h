// SPDX-License-Identifier: GPL-3.0-or-later
// A project's files as they are on disk, each in its own encoding, written whole or not at all.
#pragma once

#include "pairing/changes/project_texts.h"

namespace waferpair::pairing {

class DiskTexts : public ProjectTexts {
 public:
  // Longer files are not read.
  static constexpr qint64 kMostBytes = 8 << 20;

  editor::Result<FileText> read(const QString& path) override;
  editor::Result<void> write(const QString& path, const FileText& text) override;
};

}  // namespace waferpair::pairing
