// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/language_actions.h"

#include <QJsonArray>
#include <QJsonObject>
#include <algorithm>

#include "gui/documents/editor_tabs.h"
#include "gui/kit/picker.h"
#include "gui/workbench/diagnostic_marks.h"
#include "workbench/language/language_service.h"

namespace waferpair::gui {

using workbench::ByteRange;
using workbench::CodeAction;
using workbench::LanguageAnswer;
using workbench::LanguageClient;

namespace {

constexpr int kInvoked = 1, kAutomatic = 2;  // as the protocol numbers what triggers

// The question asks about these bytes, and about what is wrong in their lines: its marks may be a
// letter away from the caret.
QJsonObject actionQuestion(const workbench::LanguageService* service, const LanguageClient* client,
                           Document* document, ByteRange range, QJsonObject context) {
  editor::CodeEditor* editor = document->editor();
  editor->flushEdits();
  const int firstLine = editor->lineAt(range.start), lastLine = editor->lineAt(range.end);
  const auto rangeOf = [&](ByteRange bytes) {
    return workbench::protocolRange(document->text(), bytes.start, bytes.end, client->unit());
  };
  QJsonArray wrong;
  for (const workbench::Diagnostic& one : service->diagnostics(document->id())) {
    const int line = editor->lineAt(one.range.start);
    if (line < firstLine || line > lastLine) continue;
    // It is where it is by now, which the server may not have told again yet.
    QJsonObject told = one.told.toObject();
    told.insert(QStringLiteral("range"), rangeOf(one.range));
    wrong.append(told);
  }
  context.insert(QStringLiteral("diagnostics"), wrong);
  return {{QStringLiteral("range"), rangeOf(range)}, {QStringLiteral("context"), context}};
}

}  // namespace

LanguageActions::LanguageActions(const LanguageGuideParts& parts, WorkspaceChanges* changes,
                                 QObject* parent)
    : QObject(parent), p_(parts), changes_(changes) {}

void LanguageActions::ask(ByteRange range, QJsonObject context, const QString& none,
                          const Offered& offered) {
  client_ = clientThatOffers(p_, QStringLiteral("codeActionProvider"));
  if (!client_) return;
  Document* document = p_.tabs->current();
  context.insert(QStringLiteral("triggerKind"), kInvoked);
  const qint64 question =
      client_->ask(QStringLiteral("textDocument/codeAction"), document->id(),
                   actionQuestion(p_.service, client_, document, range, context),
                   [this, none, offered, selected = selectionOf(document->editor()),
                    versions = changes_->versionsOf(client_),
                    at = QPointer<Document>(document)](const LanguageAnswer& answer) {
                     // The user has gone elsewhere.
                     if (!at || at != p_.tabs->current() || selectionOf(at->editor()) != selected)
                       return;
                     if (!answer.problem.isEmpty()) return say(answer.problem);
                     if (answer.isLate)
                       return say(tr("The text was changed meanwhile. Ask again."));
                     const QVector<CodeAction> actions = workbench::readCodeActions(answer.result);
                     if (actions.isEmpty()) return say(none);
                     offered(actions, versions);
                   });
  if (question == 0) say(tr("The language server cannot be asked now."));
}

void LanguageActions::countFixes(Document* document,
                                 const std::function<void(qsizetype fixes)>& tell) {
  LanguageClient* client = p_.service->clientOf(document->id());
  if (!client || !client->offers(QStringLiteral("codeActionProvider"))) return;
  const ByteRange at = selectionOf(document->editor());
  client->ask(QStringLiteral("textDocument/codeAction"), document->id(),
              actionQuestion(p_.service, client, document, at,
                             {{QStringLiteral("triggerKind"), kAutomatic}}),
              [tell, at, document = QPointer<Document>(document)](const LanguageAnswer& answer) {
                if (!document || answer.isLate || selectionOf(document->editor()) != at) return;
                const QVector<CodeAction> actions = workbench::readCodeActions(answer.result);
                tell(std::count_if(actions.cbegin(), actions.cend(), [](const CodeAction& one) {
                  return one.disabled.isEmpty() && one.kind.startsWith(QLatin1String("quickfix"));
                }));
              });
}

void LanguageActions::choose() {
  if (const Document* document = p_.tabs->current())
    ask(selectionOf(document->editor()), {}, tr("Nothing is offered for this place."),
        [this](const QVector<CodeAction>& actions, const WorkspaceChanges::Versions& versions) {
          show(actions, versions);
        });
}

void LanguageActions::doToText(const QString& kind, const QString& none) {
  const Document* document = p_.tabs->current();
  if (!document) return;
  ask({0, document->editor()->length()}, {{QStringLiteral("only"), QJsonArray{kind}}}, none,
      [this, kind, none](const QVector<CodeAction>& actions,
                         const WorkspaceChanges::Versions& versions) {
        // Some servers offer all that they have, whatever was asked for.
        for (const CodeAction& one : actions)
          if (one.kind == kind || one.kind.startsWith(kind + u'.')) return take(one, versions);
        say(none);
      });
}

void LanguageActions::show(const QVector<CodeAction>& actions,
                           const WorkspaceChanges::Versions& versions) {
  QList<PickerItem> items;
  for (qsizetype i = 0; i < actions.size(); ++i) {
    const CodeAction& one = actions[i];
    items.append({one.title,
                  0,
                  one.disabled.isEmpty() ? one.kind : tr("not here: %1").arg(one.disabled),
                  {},
                  QVariant::fromValue(i)});
  }
  p_.picker->open(tr("What the language server can do here"), tr("What is to be done?"), items,
                  [this, actions, versions](const QVariant& index) {
                    take(actions[index.toLongLong()], versions);
                  });
}

void LanguageActions::take(const CodeAction& action, const WorkspaceChanges::Versions& versions) {
  if (!client_) return say(tr("The language server is no longer there."));
  if (!action.disabled.isEmpty()) return say(action.disabled);
  const bool resolves = client_->abilities()[u"codeActionProvider"][u"resolveProvider"].toBool();
  if (!action.edit.isUndefined() || !action.command.isUndefined() || !resolves)
    return make(action, versions);
  client_->ask(QStringLiteral("codeAction/resolve"), action.told.toObject(),
               [this, versions](const LanguageAnswer& answer) {
                 if (!answer.problem.isEmpty()) return say(answer.problem);
                 make(workbench::readCodeAction(answer.result), versions);
               });
}

void LanguageActions::make(const CodeAction& action, const WorkspaceChanges::Versions& versions) {
  if (!client_) return say(tr("The language server is no longer there."));
  if (action.edit.isObject()) {
    const QString why = changes_->make(client_, action.edit, versions, action.title);
    if (!why.isEmpty()) return say(why);
  }
  if (!action.command.isObject()) {
    if (!action.edit.isObject()) say(tr("%1: the server tells of no change.").arg(action.title));
    return;
  }
  // The edit before it was told to the server, whose command is about the text behind that; of
  // several changes of its own each is about the text behind the one before.
  client_->execute(
      action.command,
      [this, title = action.title,
       now = changes_->versionsOf(client_)](const QJsonValue& edit) mutable {
        if (!client_) return tr("The language server is no longer there.");
        const QString why = changes_->make(client_, edit, now, title);
        if (why.isEmpty()) now = changes_->versionsOf(client_);
        return why;
      },
      [this](const LanguageAnswer& answer) {
        if (!answer.problem.isEmpty()) say(answer.problem);
      });
}

}  // namespace waferpair::gui
