// SPDX-License-Identifier: GPL-3.0-or-later
// The program's state, shown and open, as JSON: docs/automation.md names the fields. Everything is
// found in the window's tree of objects, so the parts need not know of this. UI thread only.
#pragma once

#include <QJsonObject>
#include <QMainWindow>

#include "gui/client/runtime_figures.h"

namespace waferpair::gui {

class Document;
class RuntimeService;

// "host" and "wafer" apart; what was not measured is left out.
QJsonObject figuresJson(const RuntimeFigures& figures);

// `withText`: documents tell their whole text, too.
QJsonObject documentJson(const Document& document, bool withText);

// `runtime` may be null.
QJsonObject programState(const QMainWindow& window, const RuntimeService* runtime, bool withTexts);

// The value at a JSON pointer (RFC 6901), "/document/ghost/shown"; undefined where there is none.
QJsonValue valueAt(const QJsonValue& root, const QString& pointer);

}  // namespace waferpair::gui
