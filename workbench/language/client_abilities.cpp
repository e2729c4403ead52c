// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/client_abilities.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonArray>

#include "workbench/language/folding_ranges.h"
#include "workbench/language/protocol_place.h"

namespace waferpair::workbench {
namespace {

constexpr int kKindCount = 25;  // of completion items, from 1

QJsonObject completionAbilities() {
  QJsonArray kinds;
  for (int kind = 1; kind <= kKindCount; ++kind) kinds.append(kind);
  const QJsonArray formats{QStringLiteral("markdown"), QStringLiteral("plaintext")};
  const QJsonArray resolved{QStringLiteral("documentation"), QStringLiteral("detail"),
                            QStringLiteral("additionalTextEdits")};
  const QJsonObject item{
      {QStringLiteral("snippetSupport"), true},
      {QStringLiteral("documentationFormat"), formats},
      {QStringLiteral("deprecatedSupport"), true},
      {QStringLiteral("insertReplaceSupport"), true},
      {QStringLiteral("labelDetailsSupport"), true},
      {QStringLiteral("resolveSupport"), QJsonObject{{QStringLiteral("properties"), resolved}}},
  };
  const QJsonArray defaults{QStringLiteral("editRange"), QStringLiteral("data")};
  return {
      {QStringLiteral("completionItem"), item},
      {QStringLiteral("completionItemKind"), QJsonObject{{QStringLiteral("valueSet"), kinds}}},
      {QStringLiteral("completionList"), QJsonObject{{QStringLiteral("itemDefaults"), defaults}}},
      // clangd's own: an item may change what stands in front of the word, a "." into "->".
      {QStringLiteral("editsNearCursor"), true},
      {QStringLiteral("contextSupport"), true}};
}

QJsonObject actionAbilities() {
  const QJsonArray kinds{QStringLiteral(""),
                         QStringLiteral("quickfix"),
                         QStringLiteral("refactor"),
                         QStringLiteral("source"),
                         QStringLiteral("source.organizeImports"),
                         QStringLiteral("source.fixAll")};
  const QJsonObject literals{
      {QStringLiteral("codeActionKind"), QJsonObject{{QStringLiteral("valueSet"), kinds}}}};
  return {{QStringLiteral("codeActionLiteralSupport"), literals},
          {QStringLiteral("isPreferredSupport"), true},
          {QStringLiteral("disabledSupport"), true},
          {QStringLiteral("dataSupport"), true},
          {QStringLiteral("resolveSupport"),
           QJsonObject{{QStringLiteral("properties"), QJsonArray{QStringLiteral("edit")}}}}};
}

QJsonObject signatureAbilities() {
  const QJsonObject information{
      {QStringLiteral("documentationFormat"),
       QJsonArray{QStringLiteral("markdown"), QStringLiteral("plaintext")}},
      {QStringLiteral("parameterInformation"),
       QJsonObject{{QStringLiteral("labelOffsetSupport"), true}}},
      {QStringLiteral("activeParameterSupport"), true}};
  return {{QStringLiteral("signatureInformation"), information},
          {QStringLiteral("contextSupport"), true}};
}

// Those whose kinds are drawn, and what modifies them; servers leave the others out.
QJsonObject tokenAbilities() {
  QJsonArray types, modifiers;
  for (const char* type : {"namespace", "type", "class", "enum", "interface", "struct",
                           "typeParameter", "parameter", "variable", "property", "enumMember",
                           "function", "method", "macro", "comment", "decorator"})
    types.append(QLatin1String(type));
  for (const char* modifier : {"readonly", "static"}) modifiers.append(QLatin1String(modifier));
  const QJsonObject requests{
      {QStringLiteral("full"), QJsonObject{{QStringLiteral("delta"), true}}}};
  return {{QStringLiteral("requests"), requests},
          {QStringLiteral("tokenTypes"), types},
          {QStringLiteral("tokenModifiers"), modifiers},
          {QStringLiteral("formats"), QJsonArray{QStringLiteral("relative")}},
          {QStringLiteral("overlappingTokenSupport"), false},
          {QStringLiteral("multilineTokenSupport"), false},
          {QStringLiteral("augmentsSyntaxTokens"), true}};
}

QJsonObject textAbilities() {
  const QJsonArray formats{QStringLiteral("markdown"), QStringLiteral("plaintext")};
  const QJsonObject tags{{QStringLiteral("valueSet"), QJsonArray{1, 2}}};
  const QJsonObject link{{QStringLiteral("linkSupport"), true}};
  return {
      {QStringLiteral("synchronization"), QJsonObject{{QStringLiteral("didSave"), true}}},
      {QStringLiteral("publishDiagnostics"),
       QJsonObject{{QStringLiteral("versionSupport"), true}, {QStringLiteral("tagSupport"), tags}}},
      {QStringLiteral("diagnostic"), QJsonObject{}},
      {QStringLiteral("completion"), completionAbilities()},
      {QStringLiteral("hover"), QJsonObject{{QStringLiteral("contentFormat"), formats}}},
      {QStringLiteral("signatureHelp"), signatureAbilities()},
      {QStringLiteral("definition"), link},
      {QStringLiteral("declaration"), link},
      {QStringLiteral("typeDefinition"), link},
      {QStringLiteral("implementation"), link},
      {QStringLiteral("references"), QJsonObject{}},
      {QStringLiteral("documentHighlight"), QJsonObject{}},
      {QStringLiteral("codeAction"), actionAbilities()},
      {QStringLiteral("rename"), QJsonObject{{QStringLiteral("prepareSupport"), true}}},
      {QStringLiteral("formatting"), QJsonObject{}},
      {QStringLiteral("rangeFormatting"), QJsonObject{}},
      {QStringLiteral("onTypeFormatting"), QJsonObject{}},
      {QStringLiteral("documentSymbol"),
       QJsonObject{{QStringLiteral("hierarchicalDocumentSymbolSupport"), true}}},
      {QStringLiteral("semanticTokens"), tokenAbilities()},
      {QStringLiteral("inlayHint"), QJsonObject{}},
      {QStringLiteral("documentLink"), QJsonObject{{QStringLiteral("tooltipSupport"), false}}},
      {QStringLiteral("selectionRange"), QJsonObject{}},
      {QStringLiteral("foldingRange"),
       QJsonObject{{QStringLiteral("lineFoldingOnly"), true},
                   {QStringLiteral("rangeLimit"), kMostFoldingRanges}}},
      {QStringLiteral("callHierarchy"), QJsonObject{}},
      {QStringLiteral("typeHierarchy"), QJsonObject{}},
  };
}

QJsonObject windowAbilities() {
  const QJsonObject action{{QStringLiteral("additionalPropertiesSupport"), true}};
  return {
      {QStringLiteral("workDoneProgress"), true},
      {QStringLiteral("showMessage"), QJsonObject{{QStringLiteral("messageActionItem"), action}}}};
}

}  // namespace

QJsonObject folderObject(const QString& root) {
  return {{QStringLiteral("uri"), uriOf(root)},
          {QStringLiteral("name"), QFileInfo(root).fileName()}};
}

QJsonObject initializeParams(const QString& root) {
  const QJsonArray units{QStringLiteral("utf-8"), QStringLiteral("utf-16")};
  const QJsonObject refresh{{QStringLiteral("refreshSupport"), true}};
  const QJsonObject workspace{
      {QStringLiteral("configuration"), true},
      {QStringLiteral("workspaceFolders"), true},
      {QStringLiteral("diagnostics"), refresh},
      {QStringLiteral("semanticTokens"), refresh},
      {QStringLiteral("inlayHint"), refresh},
      {QStringLiteral("didChangeWatchedFiles"),
       QJsonObject{{QStringLiteral("dynamicRegistration"), true},
                   {QStringLiteral("relativePatternSupport"), true}}},
      {QStringLiteral("didChangeConfiguration"), QJsonObject{}},
      {QStringLiteral("symbol"), QJsonObject{}},
      {QStringLiteral("applyEdit"), true},
      {QStringLiteral("executeCommand"), QJsonObject{}},
      {QStringLiteral("workspaceEdit"),
       QJsonObject{{QStringLiteral("documentChanges"), true},
                   {QStringLiteral("resourceOperations"),
                    QJsonArray{QStringLiteral("create"), QStringLiteral("rename")}},
                   {QStringLiteral("failureHandling"), QStringLiteral("abort")}}},
  };
  const QJsonObject abilities{
      {QStringLiteral("general"), QJsonObject{{QStringLiteral("positionEncodings"), units}}},
      // As clangd has it.
      {QStringLiteral("offsetEncoding"), units},
      {QStringLiteral("textDocument"), textAbilities()},
      {QStringLiteral("workspace"), workspace},
      {QStringLiteral("window"), windowAbilities()},
  };
  return {{QStringLiteral("processId"), QCoreApplication::applicationPid()},
          {QStringLiteral("clientInfo"),
           QJsonObject{{QStringLiteral("name"), QStringLiteral("waferpair")},
                       {QStringLiteral("version"), QCoreApplication::applicationVersion()}}},
          {QStringLiteral("rootPath"), root},
          {QStringLiteral("rootUri"), uriOf(root)},
          {QStringLiteral("workspaceFolders"), QJsonArray{folderObject(root)}},
          {QStringLiteral("capabilities"), abilities}};
}

}  // namespace waferpair::workbench
