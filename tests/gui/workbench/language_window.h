// SPDX-License-Identifier: GPL-3.0-or-later
// A window with a language server that was agreed to.
#pragma once

#include <QLabel>
#include <QToolButton>
#include <QTreeView>

#include "gui/kit/banner.h"
#include "gui/workbench/language_tools.h"
#include "tests/gui/shell/window_fixture.h"

namespace waferpair::gui {

using workbench::LanguageClient;

inline constexpr int kPatience = 20'000;  // ms: servers start slowly on a busy machine

class LanguageWindow : public WindowFixture {
 public:
  // A project with this file in front, whose server was agreed to.
  void begin(const QByteArray& text, const QString& how = {}, const QString& name = "a.cpp") {
    useScriptedLanguageServer(how);
    openProjectWith(name, text);
    agree();
  }
  void agree() {
    QTRY_VERIFY_WITH_TIMEOUT(parts().notices->find("languageOffer"), kPatience);
    QVERIFY(click("startLanguageServer"));
    QTRY_VERIFY_WITH_TIMEOUT(isReady(), kPatience);
  }
  bool isReady() {
    const LanguageClient* client = service()->clientOf(document()->id());
    return client && client->state() == LanguageClient::State::kReady;
  }
  workbench::LanguageService* service() { return parts().languages->service(); }
  qsizetype foundCount() { return service()->diagnostics(document()->id()).size(); }
  QString status(const char* name) {
    const auto* label = find<QLabel>(name);
    return label ? label->text() : find<QToolButton>(name)->text();
  }
  // Which indicators are drawn at this byte.
  QList<int> drawnAt(qint64 offset) {
    QList<int> drawn;
    for (const int indicator : {16, 17, 18})
      if (editor()->sci(QsciScintillaBase::SCI_INDICATORVALUEAT,
                        static_cast<unsigned long>(indicator), static_cast<long>(offset)) != 0)
        drawn.append(indicator);
    return drawn;
  }
  // The rows of the list of problems, those of files with their number of rows.
  QStringList rows() {
    QStringList rows;
    const QAbstractItemModel* model = find<QTreeView>("problemsTree")->model();
    for (int file = 0; file < model->rowCount(); ++file) {
      const QModelIndex index = model->index(file, 0);
      rows.append(index.data().toString());
      for (int row = 0; row < model->rowCount(index); ++row)
        rows.append(model->index(row, 0, index).data().toString());
    }
    return rows;
  }
};

}  // namespace waferpair::gui
