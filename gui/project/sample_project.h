// SPDX-License-Identifier: GPL-3.0-or-later
// The project that comes with the program, to try it on. It is copied before it is opened: what was
// installed may not be written, and should stay as it is. Any thread.
#pragma once

#include <QString>

namespace waferpair::gui {

// Returns where a copy goes unless the user says otherwise: below the documents, or else the home
// folder.
QString usualSamplePlace();

// The absolute path that a user means by `text`; "~" is the home folder.
QString samplePlace(const QString& text);

// Returns what speaks against a copy of `sample` at `place`; empty if nothing does. A copy that is
// there already does not: it is opened as it is.
QString checkSamplePlace(const QString& sample, const QString& place);

// Makes the copy, with all files writable, unless there is one. The whole of it or nothing comes to
// be at `place`. Returns what went wrong, empty if nothing did.
QString copySampleProject(const QString& sample, const QString& place);

}  // namespace waferpair::gui
