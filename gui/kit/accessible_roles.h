// SPDX-License-Identifier: GPL-3.0-or-later
// Roles for Qt's controls that have none of their own: assistive technology would call them plain
// areas.
#pragma once

namespace waferpair::gui {

// Once, after the application object is there.
void installAccessibleRoles();

}  // namespace waferpair::gui
