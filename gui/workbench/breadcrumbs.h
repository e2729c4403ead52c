// SPDX-License-Identifier: GPL-3.0-or-later
// Where the text in front lies and where the caret is in it: folder > file > symbols, over the
// text. Each part lists its neighbors. UI thread only.
#pragma once

#include <QFrame>
#include <QPointer>
#include <QTimer>
#include <functional>

class QHBoxLayout;

namespace waferpair::workbench {
class DocumentOutlines;
}

namespace waferpair::gui {

class CommandRegistry;
class Document;
class EditorTabs;
class ElidedButton;
class Picker;
class Settings;

// All outlive the bars.
struct BreadcrumbParts {
  EditorTabs* tabs = nullptr;
  workbench::DocumentOutlines* outlines = nullptr;
  Picker* picker = nullptr;
  Settings* settings = nullptr;
  // The open folder that a path lies in; empty: none.
  std::function<QString(const QString& path)> folderOf;
  std::function<QStringList()> folders;  // that are open
};

class Breadcrumbs : public QFrame {
  Q_OBJECT
 public:
  // Puts itself over the document's text, which owns it. Hidden where the settings say so, and for
  // a text without a file.
  Breadcrumbs(Document* document, const BreadcrumbParts& parts);

  // Null where there is none.
  static Breadcrumbs* of(const Document* document);

  // What the parts say, for tests.
  QStringList texts() const;
  // Gives the last part the keyboard; Left and Right go along, Return lists, Esc goes back.
  void enter();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Crumb {
    QString text;
    QString path;     // of a folder or the file; empty: a symbol
    int symbol = -1;  // its index in the outline
    bool operator==(const Crumb&) const = default;
  };

  QList<Crumb> crumbsNow() const;
  void refresh();
  void listNeighbors(qsizetype crumb);
  void listFolder(const QString& folder, const QString& current);
  void listSymbols(int symbol);
  void goTo(qint64 offset);

  Document* document_;
  BreadcrumbParts parts_;
  QHBoxLayout* row_;
  QTimer soon_{this};
  QList<Crumb> crumbs_;
  QList<ElidedButton*> buttons_;
};

// Each text that is opened from now on has them. All outlive the commands.
void addBreadcrumbCommands(CommandRegistry& commands, const BreadcrumbParts& parts);

}  // namespace waferpair::gui
