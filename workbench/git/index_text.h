// SPDX-License-Identifier: GPL-3.0-or-later
// Writing a text into the index, by the user's own git, whose lock guards it. On a job's thread.
#pragma once

#include "workbench/git/git_file.h"
#include "workbench/git/git_jobs.h"

namespace waferpair::workbench {

// The index has `text`, which is as git stores it (GitFileReader::clean()), for the file from then
// on, in this encoding; one that was not tracked is added. `file` is what the text was made of:
// fails where the index has another version by now, which then stays.
editor::Result<QByteArray> writeIndexText(const GitFile& file, const editor::Snapshot& text,
                                          editor::Encoding encoding, const GitJob& job);

}  // namespace waferpair::workbench
