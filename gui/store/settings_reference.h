// SPDX-License-Identifier: GPL-3.0-or-later
// The table of settings as others read it: the page docs/settings.md, and the JSON schema that
// editors complete and check settings.json by.
#pragma once

#include <QByteArray>
#include <QString>

namespace waferpair::gui {

// In Markdown.
QString settingsPage();
// A schema of draft 7, which the language servers for JSON know.
QByteArray settingsSchema();

}  // namespace waferpair::gui
