// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/printed_text.h"

#include <QRegularExpression>

#include "editor/text/unseen.h"

namespace waferpair::gui {

QString printedText(QString text) {
  static const QRegularExpression escapes(
      QStringLiteral("\x1b\\[[0-9;?]*[ -/]*[@-~]|\x1b[@-Z\\\\-_]"));
  text.remove(escapes);
  text.remove(u'\r');
  return editor::shownForm(text, editor::OtherBlanks::kKept);
}

}  // namespace waferpair::gui
