// SPDX-License-Identifier: GPL-3.0-or-later
// Labels, buttons, tabs, rows, menus and tool tips show texts of files, servers and models as often
// as ours: a file's name, a branch, a value in a debugger. Here it is seen to, for all
// of the program at once, that they show it as it is: as no HTML (Qt takes a text with a tag in it
// for some, and opens what "<img src=" names), with marks for characters that one does not see
// (editor/text/unseen.h), and with nothing behind blanks or empty lines without end. What assistive
// technology is told is shown so, too. UI thread only.
//
// Who paints text itself says so: painted text goes through editor::shownForm(), rows through
// ShownDelegate. Fields that one types in have an UnseenNote (unseen_note.h).
#pragma once

#include <QStyledItemDelegate>

namespace waferpair::gui {

// From now on it is so. A label that was told Qt::RichText or another format keeps it. May be
// called again.
void keepTextsShown();

// Rows as they are elsewhere, with such marks; those of a view that has no delegate of its own are
// drawn by one.
class ShownDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QString displayText(const QVariant& value, const QLocale& locale) const override;
};

}  // namespace waferpair::gui
