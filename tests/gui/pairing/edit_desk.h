// SPDX-License-Identifier: GPL-3.0-or-later
// A window with a text in front, to edit it in place with a model that a script plays.
#pragma once

#include <QLabel>
#include <QLineEdit>

#include "editor/assist/hunks.h"
#include "pairing/models/model_roster.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/pairing/scripted_endpoint.h"
#include "tests/pairing/scripted_model.h"

namespace waferpair::gui {

using pairing::ScriptedEndpoint;
using Then = ScriptedEndpoint::Then;

inline constexpr char kText[] = "int first() {\n  return 1;\n}\n\nint second() {\n  return 2;\n}\n";

inline QByteArray block(const QByteArray& from, const QByteArray& to) {
  return "<<<<<<< SEARCH\n" + from + "=======\n" + to + ">>>>>>> REPLACE\n";
}

inline QByteArray said(QByteArray text) { return pairing::chatText(text.replace("\n", "\\n")); }

inline const QByteArray kTwoChanges =
    said(block("  return 1;\n", "  return 10;\n") + block("  return 2;\n", "  return 20;\n"));

// A window with a text, and a model that is chosen for small edits.
struct EditDesk : WindowFixture {
  explicit EditDesk(const QByteArray& text = kText, const QString& name = QStringLiteral("a.cpp")) {
    openProjectWith(name, text);
  }
  void chooseModel() { pairing::chooseScripted(parts().roster, server.base()); }
  // Small work is for "Small", which is this desk's server, and large work for "Large".
  void chooseTwoModels(const QUrl& large) {
    parts().roster->setModels({pairing::scriptedModel(QStringLiteral("Small"), server.base()),
                               pairing::scriptedModel(QStringLiteral("Large"), large)});
    parts().roster->setRole(pairing::ModelRoster::Role::kFast, QStringLiteral("Small"));
    parts().roster->setRole(pairing::ModelRoster::Role::kDeep, QStringLiteral("Large"));
  }
  void ask(const QString& instruction) {
    key(Qt::Key_K, Qt::ControlModifier);
    type(instruction);
    key(Qt::Key_Return);
  }
  void askForTwoChanges() {
    chooseModel();
    server.script({{kTwoChanges, pairing::chatFinish("stop")}});
    editor()->selectAll();
    ask(QStringLiteral("times ten"));
    QTRY_COMPARE(hunks()->offeredCount(), 2);
  }
  editor::Hunks* hunks() { return document()->hunks(); }
  QWidget* bar() { return find<QWidget>("editBar"); }
  QString state() { return find<QLabel>("editState")->text(); }
  QString instruction() { return find<QLineEdit>("editInstruction")->text(); }
  QByteArray with(const QByteArray& from, const QByteArray& to) const {
    return QByteArray(kText).replace(from, to);
  }

  ScriptedEndpoint server;
};

}  // namespace waferpair::gui
