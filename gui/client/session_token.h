// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the secret that waferd left for programs of the same user.
#pragma once

#include <QByteArray>
#include <QString>

#include "editor/text/result.h"
#include "gui/client/runtime_figures.h"

namespace waferpair::gui {

struct SessionToken {
  QByteArray token;       // 64 hexadecimal digits; empty when there is a problem
  editor::Error problem;  // why it could not be used
};

// Refuses a file that others may read or write, that belongs to another user, or that holds
// anything but a token: it may have been put there to be sent somewhere.
SessionToken readSessionToken(const QString& path);

}  // namespace waferpair::gui
