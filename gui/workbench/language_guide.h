// SPDX-License-Identifier: GPL-3.0-or-later
// What a language server knows of the place at the caret or under the mouse: what it is, where it
// is defined, where it is used. UI thread only.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QPointer>
#include <functional>

#include "workbench/language/project_reach.h"
#include "workbench/language/symbols.h"

namespace waferpair::workbench {
class LanguageClient;
class LanguageService;
struct LanguageAnswer;
}  // namespace waferpair::workbench

namespace waferpair::editor {
class CodeEditor;
}

namespace waferpair::gui {

class BannerStack;
class DiagnosticMarks;
class Document;
class EditorTabs;
class Picker;

struct LanguageGuideParts {
  workbench::LanguageService* service = nullptr;
  EditorTabs* tabs = nullptr;
  DiagnosticMarks* marks = nullptr;
  Picker* picker = nullptr;
  BannerStack* notices = nullptr;
  std::function<QString()> folder = {};  // of the text in front, absolute; empty: none is open
  // The open folder that a path lies in; empty: none.
  std::function<QString(const QString& path)> folderOf = {};
};

// The server of the text in front, if it is ready and has that provider; else null, and a notice
// says why.
workbench::LanguageClient* clientThatOffers(const LanguageGuideParts& parts,
                                            const QString& provider);
// The bytes that are selected; an empty range is the caret.
workbench::ByteRange selectionOf(const editor::CodeEditor* editor);
// Opens the file and puts the caret there; as a preview the text does not get the keyboard.
void showLocation(const LanguageGuideParts& parts, const workbench::Location& location,
                  bool isPreview = false);
// Why the server's answers about the project may leave something out, as a sentence; empty: they do
// not, or nobody knows.
QString reachNote(const workbench::LanguageClient* client);
// Says it in that notice.
void sayOfLanguage(const LanguageGuideParts& parts, const QString& text);

class LanguageGuide : public QObject {
  Q_OBJECT
 public:
  // What the parts point at outlives this.
  LanguageGuide(const LanguageGuideParts& parts, QObject* parent = nullptr);

  // Go there; of several places the user chooses.
  void goToDefinition();
  void goToDeclaration();
  void goToTypeDefinition();
  void goToImplementation();
  void listReferences();
  // Show them below the caret's line, or end that.
  void peekDefinition();
  void peekReferences();
  // The names that the text in front declares, and those of the project.
  void goToSymbol();
  void goToProjectSymbol();
  // Says what is at the caret.
  void explain();
  // Who else knows of a place comes first: `first` calls `tell` once, with Markdown, or an empty
  // text where it knows nothing. It outlives this.
  using Tell = std::function<void(const QString& markdown)>;
  void setFirst(std::function<void(Document* document, qint64 offset, const Tell& tell)> first) {
    first_ = std::move(first);
  }

  const LanguageGuideParts& parts() const { return p_; }

 private:
  using Take = std::function<void(const workbench::LanguageAnswer& answer)>;

  // Asks about the caret's place; says so where nobody can be asked. What comes once the user has
  // gone elsewhere is dropped.
  void ask(const QString& method, const QString& provider, const QJsonObject& params,
           const Take& take);
  struct PlaceQuestion {
    QString what;    // "definition", as the protocol names it
    QString none;    // what is said where there is none
    QString name;    // of the list of several
    QString prompt;  // in that list
    QJsonObject params = {};
  };
  PlaceQuestion aboutDefinition() const;
  PlaceQuestion aboutUses() const;
  using TakePlaces = std::function<void(const QVector<workbench::Location>& places)>;
  // Says so where there is none.
  void askForPlaces(const PlaceQuestion& question, const TakePlaces& take);
  void goToPlace(const PlaceQuestion& question);
  // A box that was shown is hidden now.
  bool endPeek();
  void peek(const QString& what, const QVector<workbench::Location>& places);
  void askForProjectSymbols(workbench::LanguageClient* client, const QString& typed);
  void showSymbols(const QVector<workbench::Symbol>& symbols, bool withFiles);
  void goTo(const workbench::Location& location);
  void choose(const QString& name, const QString& prompt,
              const QVector<workbench::Location>& locations);
  void explainAt(Document* document, qint64 offset, bool byKey);
  void explainMore(Document* document, qint64 offset, bool byKey, QStringList parts);
  void say(const QString& text);
  // Says how far the answers reach: once for each server, and again when that has become otherwise.
  void sayReach();

  LanguageGuideParts p_;
  std::function<void(Document* document, qint64 offset, const Tell& tell)> first_;
  QPointer<workbench::LanguageClient> asked_;
  qint64 question_ = 0;
  QHash<workbench::LanguageClient*, workbench::ProjectReach> toldReach_;
  QVector<workbench::Symbol> symbols_;  // that the picker shows
  bool choosesSymbol_ = false;          // of the project; the picker is open for that
};

}  // namespace waferpair::gui
