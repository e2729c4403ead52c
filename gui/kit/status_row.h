// SPDX-License-Identifier: GPL-3.0-or-later
// A part of the status bar: fields in a row. Where the room is short, those that matter least leave
// it for the menu of a button in front of the others, one by one, and come back with the room. UI
// thread only.
#pragma once

#include <QList>
#include <QWidget>
#include <functional>

class QHBoxLayout;
class QMenu;
class QToolButton;

namespace waferpair::gui {

// Ranks of fields by importance, the most important last: fields leave in this order.
enum class StatusRank {
  kFirstToken,
  kContext,
  kHostRate,
  kLineEnds,
  kEncoding,
  kIndentation,
  kWaferRate,
  kNextEdit,
  kLanguageWork,
  kLanguage,
  kPairing,
  kProblems,
  kTask,
  kBranch,
  kTrust,
  kModel,
  kDownload,
  kPosition,
  kModalKeys,    // without its mode the keyboard is a riddle
  kSuggestions,  // silence always has its reason in sight
};

class StatusRow : public QWidget {
  Q_OBJECT
 public:
  explicit StatusRow(QWidget* parent = nullptr);

  // Adds `field` at the right end; the row owns it. `caption` ("Line ends") stands before the
  // field's text in the menu, empty where the text says enough. `run` is what choosing it there
  // does; without it a button is clicked.
  void addField(QWidget* field, StatusRank rank, const QString& caption,
                std::function<void()> run = {});
  // Adds `row` at the right end. Both then give way together, and this one's menu is for both.
  void addRow(StatusRow* row);
  // Adds the label that takes the room between the fields so far, which stand at the left end then,
  // and those to come: two fifths of the row are its own while it says something. Once, to the
  // outermost row.
  void addMessage(QWidget* message);
  // Fields are wanted from the start. One that is not is nowhere, not in the menu either.
  void setWanted(QWidget* field, bool wanted);

  // Wanted, but out of the row for want of room.
  QList<QWidget*> leftOut() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Field {
    QWidget* widget;
    StatusRank rank;
    QString caption;
    std::function<void()> run;
    bool wanted = true;
    bool fits = true;
  };
  // Return the fields of this row and the rows in it.
  QList<Field*> all();
  QList<const Field*> all() const;
  void arrange();
  void arrangeOnce();
  void fillMenu();
  static QString textOf(const Field& field);

  QHBoxLayout* layout_;
  QToolButton* more_;
  QMenu* menu_;
  QWidget* message_ = nullptr;
  QList<Field> fields_;
  QList<StatusRow*> rows_;
  StatusRow* outer_ = nullptr;
  bool arranging_ = false;
  bool again_ = false;  // something changed meanwhile
};

}  // namespace waferpair::gui
