// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as what a language server sends: how they are cut makes no difference, each answer is
// given once, what it finds wrong lies in the text, and changes that are believed make one text.
#include <cstdint>
#include <cstdlib>

#include "programs/json_rpc.h"
#include "workbench/language/code_actions.h"
#include "workbench/language/diagnostic.h"
#include "workbench/language/hierarchy.h"
#include "workbench/language/inlay_hints.h"
#include "workbench/language/name_uses.h"
#include "workbench/language/selection_ranges.h"
#include "workbench/language/semantic_tokens.h"
#include "workbench/language/server_abilities.h"
#include "workbench/language/server_works.h"
#include "workbench/language/signature_help.h"
#include "workbench/language/symbols.h"
#include "workbench/language/workspace_edit.h"

using namespace waferpair::workbench;
namespace programs = waferpair::programs;
using waferpair::editor::Snapshot;

namespace {

struct HeardFromServer {
  QByteArray sent;
  QString broken;
  int requests = 0;
  int answers = 0;
  QJsonValue answer;
  QVector<Diagnostic> diagnostics;
};

HeardFromServer hearServer(QByteArrayView bytes, qsizetype some) {
  HeardFromServer heard;
  programs::JsonRpc rpc(programs::Framing::kHeaders, QStringLiteral("Language Server Protocol"));
  QObject::connect(&rpc, &programs::JsonRpc::sent,
                   [&](const QByteArray& sent) { heard.sent += sent; });
  QObject::connect(&rpc, &programs::JsonRpc::broken, [&](const QString& why) {
    heard.broken = why;
    rpc.close(why);
  });
  QObject::connect(&rpc, &programs::JsonRpc::requested, [&](const QJsonValue& id) {
    ++heard.requests;
    rpc.respond(id, QJsonValue());
  });
  QObject::connect(&rpc, &programs::JsonRpc::notified,
                   [&](const QString&, const QJsonObject& params) {
                     heard.diagnostics += readDiagnostics(params[u"diagnostics"]);
                   });
  rpc.request(QStringLiteral("initialize"), {},
              [&](const QJsonValue& result, const std::optional<programs::RpcFailure>&) {
                ++heard.answers;
                heard.answer = result;
              });
  for (qsizetype at = 0; at < bytes.size(); at += some)
    rpc.take(bytes.sliced(at, std::min(some, bytes.size() - at)));
  rpc.close(QStringLiteral("the end"));
  return heard;
}

// What names are, numbered by the answer; and the same after an edit in the middle.
void readTokens(const Snapshot& text, const QJsonValue& answer, ColumnUnit unit) {
  TokenData data{0, 0, 3, 0, 0, 0, 4, 1, 1, 1};
  if (answer[u"edits"].isArray() && !editTokenData(answer[u"edits"], &data)) return;
  if (answer[u"data"].isArray()) data = readTokenData(answer[u"data"]);
  QVector<SemanticToken> tokens = semanticTokens(data, readTokenLegend(answer), text, unit);
  const waferpair::editor::TextEdit edit{2, 7, QByteArray("xyz")};
  const Snapshot edited = text.edited(edit);
  for (const Snapshot& of : {text, edited}) {
    qint64 before = 0;
    for (const SemanticToken& one : std::as_const(tokens)) {
      if (one.start < before || one.end <= one.start || !of.holds(one.start, one.end)) std::abort();
      before = one.end;
    }
    followEdit(edit, &tokens);
  }
}

// What it can do and is at work on, taken and taken back.
void readRequests(const QJsonValue& answer) {
  ServerAbilities abilities(answer[u"capabilities"].toObject());
  const QJsonObject before = abilities.all();
  abilities.add(answer[u"registrations"]);
  abilities.wantsFile(QStringLiteral("/p/a.cpp"), FileChange::kChanged, QStringLiteral("/p"));
  abilities.remove(answer[u"registrations"]);
  if (abilities.watchesFiles() || abilities.all() != before) std::abort();
  ServerWorks works;
  works.take(answer.toObject());
  if (works.isEmpty() && (!works.text().isEmpty() || works.cancellable())) std::abort();
}

// An answer as whatever it might be meant to be.
void readAnswer(const Snapshot& text, const QJsonValue& answer, ColumnUnit unit) {
  if (const auto made = withEdits(text, answer, unit)) {
    Snapshot edited = text;
    for (const waferpair::editor::TextEdit& edit : smallEdits(text, *made)) {
      if (!edited.holds(edit.start, edit.end)) std::abort();
      edited = edited.edited(edit);
    }
    if (edited.toByteArray() != made->toByteArray()) std::abort();
  }
  if (const auto read = readWorkspaceEdit(answer)) {
    for (const FileEdits& file : read->files)
      if (!file.path.startsWith(u'/')) std::abort();
    for (const FileMove& move : read->moves)
      if (!move.from.startsWith(u'/') || !move.to.startsWith(u'/')) std::abort();
  }
  for (const CodeAction& one : readCodeActions(answer))
    if (one.title.isEmpty()) std::abort();
  for (const Signature& one : readSignatureHelp(answer).signatures)
    if (one.label.isEmpty() || one.parameterStart > one.parameterEnd ||
        one.parameterEnd > one.label.size())
      std::abort();
  for (const NameUse& one : readNameUses(answer, text, unit))
    if (!text.holds(one.range.start, one.range.end)) std::abort();
  const QVector<OutlineSymbol> outline = readOutline(answer, text, unit);
  for (qsizetype i = 0; i < outline.size(); ++i)
    if (outline[i].parent >= i || !text.holds(outline[i].range.start, outline[i].range.end) ||
        outline[i].place.start < outline[i].range.start ||
        outline[i].place.end > outline[i].range.end)
      std::abort();
  for (const InlayNote& one : inlayNotes(readInlayHints(answer, text, unit), text))
    if (one.text.isEmpty() || !text.holds(one.at, one.at)) std::abort();
  for (const CallSide side : {CallSide::kCallers, CallSide::kCallees})
    for (const HierarchyItem& one : readCalls(answer, side, unit))
      if (one.name.isEmpty() || !one.place.path.startsWith(u'/')) std::abort();
  ByteRange inside{0, 0};
  const QVector<ByteRange> around = readSelectionRanges(answer, text, unit);
  for (const ByteRange& one : around) {
    const bool isFirst = one == around.constFirst();
    if (!text.holds(one.start, one.end) || one.start == one.end) std::abort();
    if (!isFirst && (one.start > inside.start || one.end < inside.end)) std::abort();
    inside = one;
  }
  readTokens(text, answer, unit);
  readRequests(answer);
  for (const Symbol& one : readDocumentSymbols(answer, QStringLiteral("/a"), unit))
    if (one.name.isEmpty() || !one.place.path.startsWith(u'/')) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Larger messages are parsed on another thread, and are not there when this returns.
  if (size >= static_cast<std::size_t>(programs::JsonMessages::kLargeMessage)) return 0;
  const QByteArrayView bytes(data, static_cast<qsizetype>(size));
  const HeardFromServer whole = hearServer(bytes, std::max<qsizetype>(1, bytes.size()));
  const HeardFromServer cut = hearServer(bytes, size == 0 ? 1 : 1 + data[size - 1] % 13);
  if (whole.sent != cut.sent || whole.broken != cut.broken || whole.requests != cut.requests ||
      whole.diagnostics != cut.diagnostics)
    std::abort();
  if (whole.answers != 1) std::abort();
  const Snapshot text("int \xc3\xa4;\r\n\xf0\x9f\x98\x80 x\n");
  for (const Diagnostic& one : whole.diagnostics) {
    for (const ColumnUnit unit : {ColumnUnit::kUtf8, ColumnUnit::kUtf16}) {
      const ByteRange range = byteRangeOf(text, one.told[u"range"], unit);
      if (!text.holds(range.start, range.end)) std::abort();
    }
  }
  for (const ColumnUnit unit : {ColumnUnit::kUtf8, ColumnUnit::kUtf16})
    readAnswer(text, whole.answer, unit);
  return 0;
}
