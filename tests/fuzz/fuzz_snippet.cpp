// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as a snippet and as a file of snippets: its places lie in its text and in one another as
// they say, and they do so after edits and visits.
#include <cstdint>
#include <cstdlib>

#include "editor/assist/snippet_session.h"
#include "editor/assist/user_snippets.h"
#include "editor/text/snippet_variables.h"

using namespace waferpair::editor;

namespace {

void check(const SnippetText& made) {
  if (made.fields.isEmpty() || made.fields.last().number != 0) std::abort();
  for (const SnippetPlace& place : made.places) {
    if (place.start < 0 || place.start > place.end || place.end > made.text.size()) std::abort();
    if (place.field < 0 || place.field >= made.fields.size()) std::abort();
    if (place.parent < 0) continue;
    const SnippetPlace& outer = made.places[place.parent];
    if (place.start < outer.start || place.end > outer.end) std::abort();
  }
}

void visit(const SnippetText& made) {
  SnippetSession session(made, 3);
  QByteArray text = "abc" + made.text + "def";
  const auto apply = [&](const TextEdit& edit) {
    if (edit.start < 0 || edit.end < edit.start || edit.end > text.size()) std::abort();
    text.replace(edit.start, edit.end - edit.start, edit.text);
    session.follow(edit);
  };
  for (int visits = 0; visits < 20; ++visits) {
    const auto places = session.typedPlaces();
    if (!places.isEmpty()) {
      const auto place = places.front();
      if (place.start < 3 || place.end > text.size() - 3) std::abort();
      apply({place.start, visits % 2 == 0 ? place.end : place.start, "new"});
    }
    const auto mirrors = session.mirrorEdits([&text](const SnippetSession::Range& range) {
      return text.mid(range.start, range.end - range.start);
    });
    for (const SnippetSession::MirrorEdit& mirror : mirrors) {
      if (mirror.edit.text.size() > 4 * kLongestSnippet) return;
      session.setWritten(mirror.place);
      apply(mirror.edit);
      session.setWritten(-1);
    }
    if (!text.startsWith("abc") || !text.endsWith("def")) std::abort();
    if (!session.step(visits == 5 ? -1 : 1)) break;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const QByteArray bytes(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
  SnippetSurroundings around;
  SnippetSite site;
  site.path = QStringLiteral("/project/a_file.cpp");
  site.now = QDateTime::fromSecsSinceEpoch(0, Qt::UTC);
  around.variable = [&site](const QString& name) { return snippetVariable(site, name); };
  around.indent = "  ";
  around.level = "    ";
  const SnippetText made = expandSnippet(QString::fromUtf8(bytes), around);
  check(made);
  visit(made);
  if (const auto file = readUserSnippets(bytes, QStringLiteral("file"))) {
    for (const UserSnippet& snippet : *file) check(expandSnippet(snippet.body, around));
  }
  return 0;
}
