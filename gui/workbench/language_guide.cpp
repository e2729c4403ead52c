// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/language_guide.h"

#include "gui/documents/editor_tabs.h"
#include "gui/kit/banner.h"
#include "gui/kit/picker.h"
#include "gui/workbench/diagnostic_marks.h"
#include "gui/workbench/hover_box.h"
#include "gui/workbench/place_peek.h"
#include "gui/workbench/quoted_lines.h"
#include "gui/workbench/severity_words.h"
#include "workbench/language/language_service.h"
#include "workbench/language/markup.h"

namespace waferpair::gui {

using workbench::LanguageAnswer;
using workbench::LanguageClient;
using workbench::Location;

namespace {

constexpr char kGuideNotice[] = "languageGuide";
constexpr int kDwellTime = 500;  // ms that the mouse rests

HoverBox* hoverBox(Document* document) {
  auto* box = document->editor()->findChild<HoverBox*>();
  return box ? box : new HoverBox(document->editor());
}

}  // namespace

LanguageGuide::LanguageGuide(const LanguageGuideParts& parts, QObject* parent)
    : QObject(parent), p_(parts) {
  connect(p_.picker, &Picker::typed, this, [this](const QString& text) {
    if (choosesSymbol_ && asked_) askForProjectSymbols(asked_, text);
  });
  connect(p_.picker, &Overlay::closed, this, [this] { choosesSymbol_ = false; });
  connect(p_.tabs, &EditorTabs::opened, this, [this](Document* document) {
    editor::CodeEditor* editor = document->editor();
    editor->sci(QsciScintillaBase::SCI_SETMOUSEDWELLTIME, kDwellTime);
    connect(editor, &QsciScintillaBase::SCN_DWELLSTART, this, [this, document](int position) {
      if (position >= 0) explainAt(document, position, false);
    });
    connect(editor, &QsciScintillaBase::SCN_DWELLEND, this, [document] {
      if (auto* box = document->editor()->findChild<HoverBox*>(); box && !box->underMouse())
        box->hide();
    });
  });
}

void sayOfLanguage(const LanguageGuideParts& parts, const QString& text) {
  parts.notices->show(QLatin1String(kGuideNotice), Banner::Kind::kInfo, text);
}

workbench::ByteRange selectionOf(const editor::CodeEditor* editor) {
  return {editor->sci(QsciScintillaBase::SCI_GETSELECTIONSTART),
          editor->sci(QsciScintillaBase::SCI_GETSELECTIONEND)};
}

void showLocation(const LanguageGuideParts& parts, const Location& location, bool isPreview) {
  const auto go = [location](Document* document) {
    if (!document) return;  // the tabs have told why
    const editor::Snapshot text = document->text();
    const qint64 at = offsetOf(text, location.start, location.unit);
    document->editor()->goToLine(static_cast<int>(text.lineAt(at)));
    document->editor()->setSelection(at, at);
  };
  parts.tabs->open(location.path, {.isPreview = isPreview, .then = go});
}

LanguageClient* clientThatOffers(const LanguageGuideParts& parts, const QString& provider) {
  parts.notices->remove(QLatin1String(kGuideNotice));
  const Document* document = parts.tabs->current();
  if (!document) return nullptr;
  LanguageClient* client = parts.service->clientOf(document->id());
  QString why;
  if (!client) {
    why =
        tr("No language server runs for this file. The command Language Servers… shows which "
           "there are.");
  } else if (client->state() == LanguageClient::State::kStarting) {
    why = tr("%1 is still starting.").arg(client->server().id);
  } else if (!client->offers(provider)) {
    why = tr("%1 cannot tell that.").arg(client->server().id);
  }
  if (why.isEmpty()) return client;
  sayOfLanguage(parts, why);
  return nullptr;
}

QString reachNote(const LanguageClient* client) {
  return client ? workbench::reachWords(client->reach(), client->server().id, client->progress())
                : QString();
}

void LanguageGuide::say(const QString& text) { sayOfLanguage(p_, text); }

void LanguageGuide::sayReach() {
  if (!asked_) return;
  const QString note = reachNote(asked_);
  const auto told = toldReach_.constFind(asked_);
  const bool isTold = told != toldReach_.cend() && *told == asked_->reach();
  toldReach_.insert(asked_, asked_->reach());
  if (!note.isEmpty() && !isTold) say(note);
}

void LanguageGuide::ask(const QString& method, const QString& provider, const QJsonObject& params,
                        const Take& take) {
  LanguageClient* client = clientThatOffers(p_, provider);
  if (!client) return;
  Document* document = p_.tabs->current();
  document->editor()->flushEdits();
  if (asked_ && question_ != 0) asked_->withdraw(question_);
  asked_ = client;
  const qint64 caret = document->editor()->caret();
  question_ = client->askAt(
      method, document->id(), caret, params,
      [this, take, caret, at = QPointer<Document>(document)](const LanguageAnswer& answer) {
        question_ = 0;
        if (!at || at != p_.tabs->current() || at->editor()->caret() != caret) return;
        if (!answer.problem.isEmpty()) return say(answer.problem);
        take(answer);
      });
}

// -- Places

void LanguageGuide::askForPlaces(const PlaceQuestion& question, const TakePlaces& take) {
  ask(QStringLiteral("textDocument/") + question.what, question.what + QStringLiteral("Provider"),
      question.params, [this, none = question.none, take](const LanguageAnswer& answer) {
        const QVector<Location> found = workbench::readLocations(answer.result, answer.unit);
        if (found.isEmpty()) return say((none + u' ' + reachNote(asked_)).trimmed());
        take(found);
        // A list says it itself.
        if (!p_.picker->isOpen()) sayReach();
      });
}

void LanguageGuide::goToPlace(const PlaceQuestion& question) {
  askForPlaces(question, [this, question](const QVector<Location>& found) {
    if (found.size() == 1) return goTo(found.constFirst());
    choose(question.name, question.prompt, found);
  });
}

LanguageGuide::PlaceQuestion LanguageGuide::aboutDefinition() const {
  return {QStringLiteral("definition"), tr("No definition is known for what is at the caret."),
          tr("Definitions"), tr("A definition to go to")};
}

LanguageGuide::PlaceQuestion LanguageGuide::aboutUses() const {
  const QJsonObject context{{QStringLiteral("includeDeclaration"), true}};
  return {QStringLiteral("references"),
          tr("No use is known of what is at the caret."),
          tr("References"),
          tr("A use to go to"),
          {{QStringLiteral("context"), context}}};
}

void LanguageGuide::goToDefinition() { goToPlace(aboutDefinition()); }

void LanguageGuide::goToDeclaration() {
  goToPlace({QStringLiteral("declaration"), tr("No declaration is known for what is at the caret."),
             tr("Declarations"), tr("A declaration to go to")});
}

void LanguageGuide::goToTypeDefinition() {
  goToPlace({QStringLiteral("typeDefinition"), tr("No type is known for what is at the caret."),
             tr("Types"), tr("A type to go to")});
}

void LanguageGuide::goToImplementation() {
  goToPlace({QStringLiteral("implementation"),
             tr("No implementation is known for what is at the caret."), tr("Implementations"),
             tr("An implementation to go to")});
}

void LanguageGuide::listReferences() {
  const PlaceQuestion uses = aboutUses();
  askForPlaces(uses, [this, uses](const QVector<Location>& found) {
    choose(uses.name, uses.prompt, found);
  });
}

void LanguageGuide::peekDefinition() {
  if (endPeek()) return;
  askForPlaces(aboutDefinition(),
               [this](const QVector<Location>& found) { peek(tr("Definition"), found); });
}

void LanguageGuide::peekReferences() {
  if (endPeek()) return;
  askForPlaces(aboutUses(), [this](const QVector<Location>& found) { peek(tr("Use"), found); });
}

bool LanguageGuide::endPeek() {
  const Document* document = p_.tabs->current();
  auto* shown = document ? document->editor()->findChild<PlacePeek*>() : nullptr;
  if (!shown || !shown->isVisible()) return false;
  shown->leave();
  return true;
}

void LanguageGuide::peek(const QString& what, const QVector<Location>& places) {
  Document* document = p_.tabs->current();
  auto* box = document->editor()->findChild<PlacePeek*>();
  if (!box) {
    box = new PlacePeek(document, p_.tabs);
    connect(box, &PlacePeek::wanted, this, &LanguageGuide::goTo);
  }
  box->showPlaces(what, places, p_.folder());
}

// -- Symbols

void LanguageGuide::goToSymbol() {
  LanguageClient* client = clientThatOffers(p_, QStringLiteral("documentSymbolProvider"));
  if (!client) return;
  Document* document = p_.tabs->current();
  document->editor()->flushEdits();
  choosesSymbol_ = false;
  symbols_.clear();
  p_.picker->open(tr("Symbols of the file"), tr("A symbol of this file to go to"), {},
                  [this](const QVariant& index) { goTo(symbols_[index.toLongLong()].place); });
  p_.picker->setNote(tr("Asking %1…").arg(client->server().id));
  client->ask(QStringLiteral("textDocument/documentSymbol"), document->id(), {},
              [this, at = QPointer<Document>(document)](const LanguageAnswer& answer) {
                if (!at || at != p_.tabs->current() || !p_.picker->isOpen()) return;
                if (!answer.problem.isEmpty()) return p_.picker->setNote(answer.problem);
                showSymbols(workbench::readDocumentSymbols(answer.result, at->path(), answer.unit),
                            false);
              });
}

// The server is asked for each pattern anew: it does not tell of all that a large project has.
void LanguageGuide::goToProjectSymbol() {
  LanguageClient* client = clientThatOffers(p_, QStringLiteral("workspaceSymbolProvider"));
  if (!client) return;
  symbols_.clear();
  p_.picker->open(tr("Symbols of the project"), tr("A symbol of the project to go to"), {},
                  [this](const QVariant& index) { goTo(symbols_[index.toLongLong()].place); });
  choosesSymbol_ = true;
  asked_ = client;
  askForProjectSymbols(client, {});
}

void LanguageGuide::askForProjectSymbols(LanguageClient* client, const QString& typed) {
  if (question_ != 0) client->withdraw(question_);
  if (symbols_.isEmpty()) p_.picker->setNote(tr("Asking %1…").arg(client->server().id));
  question_ =
      client->ask(QStringLiteral("workspace/symbol"), {{QStringLiteral("query"), typed}},
                  [this](const LanguageAnswer& answer) {
                    question_ = 0;
                    if (!choosesSymbol_) return;
                    if (!answer.problem.isEmpty()) return p_.picker->setNote(answer.problem);
                    showSymbols(workbench::readProjectSymbols(answer.result, answer.unit), true);
                  });
}

void LanguageGuide::showSymbols(const QVector<workbench::Symbol>& symbols, bool withFiles) {
  symbols_ = symbols;
  FuzzyNames names;
  for (const workbench::Symbol& one : symbols)
    names.rest.append(one.inside.isEmpty() ? one.name
                                           : one.inside + QStringLiteral("::") + one.name);
  p_.picker->setNames(names, [this, names, withFiles, folder = p_.folder()](qsizetype index) {
    const workbench::Symbol& one = symbols_[index];
    QString place = QString::number(one.place.start.line + 1);
    if (withFiles) place = shownPath(one.place.path, folder) + u':' + place;
    return PickerItem{names[index],
                      static_cast<int>(names[index].size() - one.name.size()),
                      one.kind.isEmpty() ? place : one.kind + QStringLiteral(" · ") + place,
                      {},
                      QVariant::fromValue(index)};
  });
  p_.picker->setNote(symbols.isEmpty() && !withFiles
                         ? tr("This file declares nothing that is known.")
                         : QString());
}

void LanguageGuide::choose(const QString& name, const QString& prompt,
                           const QVector<Location>& locations) {
  QuotedLines lines(p_.tabs);
  QList<PickerItem> items;
  for (qsizetype i = 0; i < locations.size(); ++i) {
    const Location& one = locations[i];
    items.append({lines.lineOf(one), 0, shownPlace(one, p_.folder()), {}, QVariant::fromValue(i)});
  }
  p_.picker->open(name, prompt, items, [this, locations](const QVariant& index) {
    goTo(locations[index.toLongLong()]);
  });
  p_.picker->setNote(reachNote(asked_));
}

void LanguageGuide::goTo(const Location& location) { showLocation(p_, location); }

// -- What is there

void LanguageGuide::explain() {
  if (Document* document = p_.tabs->current())
    explainAt(document, document->editor()->caret(), true);
}

void LanguageGuide::explainAt(Document* document, qint64 offset, bool byKey) {
  if (!first_) return explainMore(document, offset, byKey, {});
  first_(document, offset,
         [self = QPointer(this), at = QPointer(document), offset, byKey](const QString& markdown) {
           if (!self || !at) return;
           self->explainMore(at, offset, byKey,
                             markdown.isEmpty() ? QStringList() : QStringList{markdown});
         });
}

void LanguageGuide::explainMore(Document* document, qint64 offset, bool byKey, QStringList parts) {
  for (const workbench::Diagnostic& one : p_.marks->allAt(document, offset))
    parts.append(QStringLiteral("**%1:** %2")
                     .arg(severityWord(one.severity), workbench::asMarkdown(one.text())));
  const auto show = [offset, byKey,
                     document = QPointer<Document>(document)](const QStringList& said) {
    if (!document) return;
    if (!said.isEmpty() || byKey)
      hoverBox(document)->showAt(offset, said.isEmpty() ? tr("Nothing is known of this place.")
                                                        : said.join(QStringLiteral("\n\n")));
  };
  LanguageClient* client = p_.service->clientOf(document->id());
  if (!client || !client->offers(QStringLiteral("hoverProvider"))) return show(parts);
  document->editor()->flushEdits();
  const qint64 asked =
      client->askAt(QStringLiteral("textDocument/hover"), document->id(), offset, {},
                    [this, parts, show, byKey, offset,
                     at = QPointer<Document>(document)](const LanguageAnswer& answer) {
                      const bool isGone = !at || at != p_.tabs->current() || answer.isLate ||
                                          (byKey && at->editor()->caret() != offset);
                      if (isGone) return;
                      const QString text = workbench::markdownOf(answer.result[u"contents"]);
                      show(text.isEmpty() ? parts : parts + QStringList{text});
                    });
  if (asked == 0) show(parts);
}

}  // namespace waferpair::gui
