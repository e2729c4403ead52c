// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson on paper: its text, the figures of its experiments, its questions with room to write,
// and the answers on the last page. UI thread only.
#pragma once

#include <QByteArray>
#include <QString>

namespace waferpair::gui {

class LessonRun;

// What is known of the run's figures is in it: LessonRun::runAll() before. Black on white.
QByteArray handoutHtml(const LessonRun& run);
QByteArray handoutPdf(const LessonRun& run);

}  // namespace waferpair::gui
