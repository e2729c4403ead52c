// SPDX-License-Identifier: GPL-3.0-or-later
// Asks the user before something leaves this computer or is started, and says why something cannot
// be. UI thread only.
#pragma once

#include <QString>
#include <functional>

#include "editor/text/result.h"

class QWidget;

namespace waferpair::gui {

struct ConsentQuestion {
  const char* name;  // of the box: "agreeToHost"
  QString title;
  QString question;
  QString details;
  QString yes;  // on the button; the other one, which is the default, cancels
};

// Calls `agreed` if the user says so and `context` is still there.
void askToAgree(const ConsentQuestion& agreement, QWidget* window, QObject* context,
                const std::function<void()>& agreed);

// `name`: of the box.
void tellRefusal(const char* name, const QString& title, const editor::Error& why, QWidget* window);

}  // namespace waferpair::gui
