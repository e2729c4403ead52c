// SPDX-License-Identifier: GPL-3.0-or-later
// Turns a search in all files into changes to be reviewed: each file's text with its matches
// replaced. UI thread only.
#pragma once

#include <QStringList>

#include "pairing/changes/change_set.h"
#include "workbench/search/text_search.h"

namespace waferpair::gui {

struct ReplaceChanges {
  pairing::ChangeSet set;
  QStringList problems;  // of files that stay as they are, with the reason
};

// Reads the files, relative to `root`, as they are by now.
ReplaceChanges replaceChanges(pairing::ProjectTexts* texts, const QString& root,
                              const QStringList& files, const workbench::TextSearch& search,
                              const QString& replacement);

}  // namespace waferpair::gui
