// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/rename_edits.h"

#include <QRegularExpression>

#include "editor/text/translate.h"
#include "pairing/next_edit/code_text.h"

namespace waferpair::pairing {

using editor::TextEdit;

namespace {

struct NameChange {
  QByteArray from;
  QByteArray to;
};

std::optional<NameChange> renamingIn(const QString& instruction) {
  static const QRegularExpression form(
      QStringLiteral(R"(^\s*rename\s+([\w$]+)\s+(?:to|as|into)\s+([\w$]+)\s*$)"),
      QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
  const auto match = form.match(instruction);
  if (!match.hasMatch()) return std::nullopt;
  return NameChange{match.captured(1).toUtf8(), match.captured(2).toUtf8()};
}

// The places of the name, in order.
struct Places {
  QVector<Token> inTarget;    // in code
  QVector<Token> inCode;      // of the whole text
  QVector<Token> everywhere;  // in comments and strings, too
};

Places placesOf(const QByteArray& name, const CodeText& code, const LineRange& target) {
  const quint32 hash = tokenHash(name);
  Places places;
  for (const Token& token : code.tokens()) {
    if (token.kind != TokenKind::kWord || !code.is(token, name, hash)) continue;
    places.everywhere.append(token);
    if (token.region != Region::kCode) continue;
    places.inCode.append(token);
    const int line = code.lineOf(token);
    if (target.first <= line && line < target.end()) places.inTarget.append(token);
  }
  return places;
}

QVector<TextEdit> editsAt(const QVector<Token>& places, const NameChange& renaming) {
  QVector<TextEdit> edits;
  qint64 shift = 0;
  for (const Token& token : places) {
    edits.append({token.start + shift, token.end() + shift, renaming.to});
    shift += renaming.to.size() - renaming.from.size();
  }
  return edits;
}

}  // namespace

QVector<PlainEdit> renames(const QString& instruction, const PlainTask& task) {
  const auto renaming = renamingIn(instruction);
  if (!renaming) return {};
  const CodeText code(task.text.toByteArray(), languageFamily(task.language));
  const Places places = placesOf(renaming->from, code, task.target);
  const QString what = translate("Rename %1 to %2")
                           .arg(QString::fromUtf8(renaming->from), QString::fromUtf8(renaming->to));
  if (places.everywhere.isEmpty() || renaming->from == renaming->to) return {{what, {}}};
  // Two things of one name would be one afterwards.
  const bool isTaken = !placesOf(renaming->to, code, task.target).inCode.isEmpty();
  const QString warning = isTaken ? translate(", a name that is there already") : QString();
  QVector<PlainEdit> found;
  const auto add = [&](const QVector<Token>& tokens, const QString& where) {
    const QString count =
        tokens.size() == 1 ? translate("1 place") : translate("%1 places").arg(tokens.size());
    found.append({what + where.arg(count) + warning, editsAt(tokens, *renaming)});
  };
  if (!places.inTarget.isEmpty() && places.inTarget.size() < places.inCode.size())
    add(places.inTarget, translate(" in these lines (%1)"));
  if (!places.inCode.isEmpty()) add(places.inCode, translate(" in the whole file (%1)"));
  if (places.everywhere.size() > places.inCode.size())
    add(places.everywhere, translate(" in the whole file, comments and strings too (%1)"));
  return found;
}

}  // namespace waferpair::pairing
