// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers that the widget tests share: an editor on screen, and a provider that says what a test
// tells it.
#pragma once

#include <QSignalSpy>
#include <QtTest>
#include <memory>

#include "editor/assist/completion_provider.h"
#include "editor/assist/document_sync.h"
#include "editor/ghost/ghost_text.h"
#include "editor/widget/code_editor.h"

namespace waferpair::editor {

inline std::unique_ptr<CodeEditor> makeEditor(const QByteArray& text = {},
                                              const QString& language = QStringLiteral("C++")) {
  auto editor = std::make_unique<CodeEditor>();
  editor->resize(800, 400);
  editor->sci(QsciScintillaBase::SCI_SETCARETPERIOD, 0);
  editor->setText(text);
  editor->setLanguage(language);
  editor->show();
  editor->activateWindow();
  editor->setFocus();
  if (!QTest::qWaitForWindowActive(editor.get())) return nullptr;
  return editor;
}

// `text` with '|' taken out, and where it was.
inline std::pair<QByteArray, qint64> cutCaret(QByteArray text) {
  const qint64 at = text.indexOf('|');
  text.remove(at, 1);
  return {text, at};
}

// An editor with the caret where '|' stands.
inline std::unique_ptr<CodeEditor> editorAt(const QByteArray& textWithCaret) {
  const auto [text, at] = cutCaret(textWithCaret);
  auto editor = makeEditor(text);
  editor->setSelection(at, at);
  return editor;
}

// The other way round.
inline QByteArray withCaret(const CodeEditor& editor) {
  return editor.text().insert(editor.caret(), '|');
}

// The whole text becomes another one, as an edit that can be undone.
inline void replaceAll(CodeEditor* editor, const QByteArray& utf8) {
  editor->replaceRange(0, editor->length(), utf8);
}

// Keeps mirrors of documents by the deltas it gets, as the server does, and answers when told to.
class ScriptedProvider : public CompletionProvider, public DocumentSubscriber {
 public:
  struct Request : CompletionQuery {
    RequestId id;
  };

  void opened(const SyncedDocument& document) override {
    if (!document.silent.isEmpty()) return;
    const DocumentId& id = document.id;
    QVERIFY(!mirrors.contains(id));
    mirrors[id] = document.text.toByteArray();
    versions[id] = document.version;
    languages[id] = document.language;
  }
  void changed(const SyncedDocument& document, const QVector<TextEdit>& edits) override {
    if (!document.silent.isEmpty()) return;
    const DocumentId& id = document.id;
    QVERIFY(mirrors.contains(id));
    QVERIFY(document.version > versions[id]);
    versions[id] = document.version;
    for (const TextEdit& edit : edits) {
      QVERIFY(edit.start >= 0 && edit.end >= edit.start && edit.end <= mirrors[id].size());
      mirrors[id].replace(edit.start, edit.end - edit.start, edit.text);
    }
    QCOMPARE(document.text.toByteArray(), mirrors[id]);
  }
  void closed(const DocumentId& id) override { mirrors.remove(id); }

  RequestId requestCompletion(const CompletionQuery& query) override {
    if (!reason.isEmpty()) return 0;
    requests.append({query, ++lastId});
    return lastId;
  }
  void cancelCompletion(RequestId request) override { cancelled.append(request); }
  void readAhead(const DocumentId&, qint64 version, qint64 offset) override {
    readAt.append({version, offset});
  }
  QString silenceReason(const DocumentId&) const override { return reason; }
  bool mayAskAhead() const override { return asksAhead; }
  bool mayBeTakenOver(RequestId id) const override { return hasLarger && !cancelled.contains(id); }

  void say(RequestId id, const QByteArray& utf8) { Q_EMIT completionText(id, utf8); }
  void end(RequestId id, CompletionEnd end = CompletionEnd::kComplete) {
    Q_EMIT completionFinished(id, end);
  }
  // What the larger model says; `by` 0: what came stands.
  void takeOver(RequestId id, RequestId by, const QByteArray& utf8 = {},
                CompletionEnd end = CompletionEnd::kComplete) {
    Q_EMIT completionTakenOver(id, by, utf8, end);
  }
  void setReason(const QString& text) {
    reason = text;
    Q_EMIT availabilityChanged();
  }

  QHash<DocumentId, QByteArray> mirrors;
  QHash<DocumentId, qint64> versions;
  QHash<DocumentId, QString> languages;
  QVector<Request> requests;
  QVector<RequestId> cancelled;
  QVector<std::pair<qint64, qint64>> readAt;  // version and offset
  QString reason;
  bool asksAhead = false;
  bool hasLarger = false;  // a larger model is at each request, too
  RequestId lastId = 0;
};

}  // namespace waferpair::editor
