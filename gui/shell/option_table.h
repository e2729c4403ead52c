// SPDX-License-Identifier: GPL-3.0-or-later
// The command line as data, of which scripts/make_man_pages.py makes the manual page and what
// shells complete: the same fields as those of runtime/waferctl/option_table.h.
#pragma once

#include <QByteArray>

namespace waferpair::gui {

// A JSON object and a line feed. Needs an application object for the version.
QByteArray optionTable();

}  // namespace waferpair::gui
