// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/view/announce.h"

#include <QAccessible>
#include <QtGlobal>

#include "editor/view/text_view.h"

namespace waferpair::editor {

void announce(TextView* editor, const QString& words) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
  if (words.isEmpty()) return;
  QAccessibleAnnouncementEvent event(editor, words);  // polite unless told otherwise
  QAccessible::updateAccessibility(&event);
#else
  // AT-SPI has no announcements in earlier versions. A change of the description of the widget at
  // work is what screen readers say of their own accord.
  if (editor->accessibleDescription() != words) editor->setAccessibleDescription(words);
#endif
}

}  // namespace waferpair::editor
