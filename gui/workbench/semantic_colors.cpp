// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/semantic_colors.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "editor/layers/text_tints.h"
#include "gui/documents/editor_tabs.h"
#include "workbench/language/document_tokens.h"

namespace waferpair::gui {

using editor::CodeEditor;
using editor::TextTints;
using editor::Tint;
using workbench::SemanticToken;
using workbench::TokenKind;

namespace {

using Sci = QsciScintillaBase;

// What is scrolled past is drawn where the view comes to rest.
constexpr std::chrono::milliseconds kDrawDelay(30);
constexpr int kLinesAround = 60;  // above and below the view

std::optional<Tint::Kind> tintOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kPlain:
      return std::nullopt;
    case TokenKind::kNamespace:
      return Tint::Kind::kNamespace;
    case TokenKind::kType:
      return Tint::Kind::kType;
    case TokenKind::kFunction:
      return Tint::Kind::kFunction;
    case TokenKind::kMacro:
      return Tint::Kind::kMacro;
    case TokenKind::kParameter:
      return Tint::Kind::kParameter;
    case TokenKind::kMember:
      return Tint::Kind::kMember;
    case TokenKind::kConstant:
      return Tint::Kind::kConstant;
    case TokenKind::kInactive:
      return Tint::Kind::kFaint;
  }
  Q_UNREACHABLE();
}

// The bytes of the lines in sight, and of some around them.
workbench::ByteRange inSight(const CodeEditor* editor) {
  const auto lineOfRow = [editor](long row) {
    return static_cast<int>(
        editor->sci(Sci::SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(std::max(0L, row))));
  };
  const long top = editor->sci(Sci::SCI_GETFIRSTVISIBLELINE);
  const int first = std::max(0, lineOfRow(top) - kLinesAround);
  const int last = std::min(editor->lineCount() - 1,
                            lineOfRow(top + editor->sci(Sci::SCI_LINESONSCREEN)) + kLinesAround);
  return {editor->lineStart(first), editor->lineEnd(last)};
}

}  // namespace

SemanticColors::SemanticColors(workbench::DocumentTokens* tokens, const LanguageGuideParts& parts,
                               Settings* settings, QObject* parent)
    : QObject(parent),
      tokens_(tokens),
      p_(parts),
      settings_(settings),
      on_(settings->get().semanticColors) {
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, [this] {
    for (Document* document : std::exchange(toDraw_, {})) draw(document);
  });
  connect(p_.tabs, &EditorTabs::opened, this, &SemanticColors::follow);
  connect(p_.tabs, &EditorTabs::closed, this,
          [this](Document* document) { toDraw_.remove(document); });
  connect(p_.tabs, &EditorTabs::currentChanged, this, [this](Document* document) {
    if (!document) return;
    if (on_) tokens_->follow(document->id());
    drawSoon(document);
  });
  connect(tokens_, &workbench::DocumentTokens::tokensChanged, this, [this](const QString& id) {
    for (Document* document : p_.tabs->documents())
      if (document->id() == id) drawSoon(document);
  });
  connect(settings_, &Settings::changed, this, &SemanticColors::applySettings);
}

void SemanticColors::follow(Document* document) {
  connect(document->editor(), &Sci::SCN_UPDATEUI, this, [this, document](int updated) {
    if ((updated & Sci::SC_UPDATE_V_SCROLL) != 0) drawSoon(document);
  });
}

void SemanticColors::applySettings() {
  if (std::exchange(on_, settings_->get().semanticColors) == on_) return;
  if (!on_) return tokens_->stopAll();
  if (const Document* document = p_.tabs->current()) tokens_->follow(document->id());
}

void SemanticColors::drawSoon(Document* document) {
  toDraw_.insert(document);
  if (!soon_.isActive()) soon_.start(kDrawDelay);
}

void SemanticColors::draw(Document* document) {
  CodeEditor* editor = document->editor();
  editor->flushEdits();  // the tokens are of the text as others were told
  const QVector<SemanticToken>& all = tokens_->tokens(document->id());
  auto* tints = editor->findChild<TextTints*>();
  if (all.isEmpty()) {
    if (tints) tints->clear();
    return;
  }
  if (!tints) {
    tints = new TextTints(editor);
    connect(tints, &TextTints::lookChanged, this, [this, document] { drawSoon(document); });
  }
  const workbench::ByteRange range = inSight(editor);
  auto token = std::partition_point(
      all.begin(), all.end(), [&](const SemanticToken& one) { return one.start < range.start; });
  QVector<Tint> inside;
  for (; token != all.end() && token->end <= range.end; ++token)
    if (const auto kind = tintOf(token->kind)) inside.append({token->start, token->end, *kind});
  tints->set(range.start, range.end, inside);
}

}  // namespace waferpair::gui
