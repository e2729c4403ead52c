// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of commits by a model that a script plays: what is sent, what is not, and what becomes
// of the answer.
#include <QJsonArray>
#include <QPlainTextEdit>

#include "gui/git/changes_panel.h"
#include "gui/git/commit_draft.h"
#include "gui/git/git_tools.h"
#include "gui/kit/banner.h"
#include "pairing/models/model_roster.h"
#include "tests/gui/shell/window_fixture.h"
#include "tests/pairing/scripted_endpoint.h"
#include "tests/workbench/git/scratch_repository.h"

using namespace waferpair;
using namespace waferpair::gui;
using pairing::ScriptedEndpoint;
using workbench::runGit;

namespace {

class TestCommitDraft : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    server_ = std::make_unique<ScriptedEndpoint>();
    w_->write("a.txt", "one\n");
    w_->write("b.txt", "one\n");
    git({"init", "-q", "-b", "main"});
    git({"add", "-A"});
    git({"commit", "-q", "-m", "first"});
  }
  void cleanup() {
    w_.reset();
    server_.reset();
  }

  void whatIsStagedIsDescribed() {
    w_->write("a.txt", "staged line\n");
    git({"add", "-A"});
    w_->write("a.txt", "later line\n");
    w_->write("b.txt", "not staged\n");
    open(true);
    server_->script({{pairing::chatText("```\\nThe first line is staged"),
                      pairing::chatText("\\n\\nIt was one.\\n```"), pairing::chatFinish("stop")}});
    draft();
    QTRY_COMPARE(panel()->message(), QString("The first line is staged\n\nIt was one."));
    QTRY_VERIFY(!isDrafting());  // pressed before, it would stop this one
    QVERIFY2(sent().contains("+staged line"), qPrintable(sent()));
    QVERIFY(!sent().contains("later line"));
    QVERIFY(!sent().contains("b.txt"));
    // A draft as it came is replaced by the next, one that was changed is not.
    server_->script({{pairing::chatText("Another"), pairing::chatFinish("stop")}});
    draft();
    QTRY_COMPARE(panel()->message(), QString("Another"));
    QTRY_VERIFY(!isDrafting());
    panel()->setMessage("Mine");
    draft();
    QTRY_VERIFY(note().startsWith("There is a message already."));
    QCOMPARE(panel()->message(), QString("Mine"));
    QCOMPARE(server_->requests().size(), 2);
  }

  void secretsDoNotGoAlong() {
    w_->write("a.txt", "plain\n");
    w_->write("b.txt",
              "-----BEGIN RSA"
              " PRIVATE KEY-----\nMIIEowIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0\n"
              "-----END RSA PRIVATE KEY-----\n");
    w_->write(".env", "TOKEN=abc\n");
    git({"add", "-A", "-f"});
    open(true);
    server_->script({{pairing::chatText("Plain"), pairing::chatFinish("stop")}});
    draft();
    QTRY_COMPARE(panel()->message(), QString("Plain"));
    QVERIFY(sent().contains("+plain"));
    QVERIFY2(!sent().contains("b.txt") && !sent().contains("MIIE"), qPrintable(sent()));
    QVERIFY(!sent().contains(".env"));
  }

  void nothingButSecretsIsNotAsked() {
    w_->write(".env", "TOKEN=abc\n");
    git({"add", "-A", "-f"});
    open(true);
    draft();
    QTRY_COMPARE(note(), QString("There are no changes that may go to a model."));
    QCOMPARE(server_->requests().size(), 0);
  }

  void withoutAModelTheReasonIsSaid() {
    w_->write("a.txt", "two\n");
    open(false);
    draft();
    QTRY_VERIFY(!note().isEmpty());
    QCOMPARE(panel()->message(), QString());
  }

  void aFailureIsTold() {
    w_->write("a.txt", "two\n");
    open(true);
    ScriptedEndpoint::Reply refused;
    refused.status = 500;
    refused.pieces = {"{\"error\": {\"message\": \"out of order\"}}"};
    refused.headers = {"Content-Type: application/json"};
    server_->script(refused);
    draft();
    QTRY_VERIFY2(note().contains("out of order"), qPrintable(note()));
  }

  void howFarItIsIsShownInTheMessagesPlace() {
    w_->write("a.txt", "two\n");
    open(true);
    const auto* field = w_->find<QPlainTextEdit>("commitMessage");
    const QString usual = field->placeholderText();
    server_->script({{pairing::chatReading(512, 2048)}, ScriptedEndpoint::Then::kStall});
    draft();
    QTRY_VERIFY2(field->placeholderText().startsWith("Reading 512 of "),
                 qPrintable(field->placeholderText()));
    QVERIFY2(field->placeholderText().contains("(25 %), "), qPrintable(field->placeholderText()));
    server_->say(pairing::chatReading(1024, 2048));
    QTRY_VERIFY(field->placeholderText().contains("(50 %), "));
    QVERIFY(panel()->message().isEmpty());
    draft();
    QTRY_COMPARE(field->placeholderText(), usual);
    QVERIFY(!isDrafting());
  }

  void pressedAgainItStops() {
    w_->write("a.txt", "two\n");
    open(true);
    server_->script({{pairing::chatText("Half a mess")}, ScriptedEndpoint::Then::kStall});
    draft();
    QTRY_COMPARE(panel()->message(), QString("Half a mess"));
    draft();
    QTRY_COMPARE(server_->openConnections(), 0);
    QCOMPARE(panel()->message(), QString("Half a mess"));
  }

 private:
  QByteArray git(const QStringList& arguments) const { return runGit(w_->project(), arguments); }
  void open(bool hasModel) {
    w_->openProject();
    QTRY_VERIFY(w_->parts().git->watch()->status());
    if (!hasModel) return;
    pairing::ModelEntry model;
    model.id = model.name = "Scripted";
    model.address.base = server_->base();
    model.address.model = "scripted";
    w_->parts().roster->setModels({model});
    w_->parts().roster->setRole(pairing::ModelRoster::Role::kFast, "Scripted");
  }
  static void draft() {
    WindowFixture::key(Qt::Key_M, Qt::ControlModifier);
    WindowFixture::key(Qt::Key_D, Qt::ControlModifier);
  }
  bool isDrafting() { return w_->parts().git->findChild<CommitDraft*>()->isDrafting(); }
  ChangesPanel* panel() { return w_->parts().git->panel(); }
  QString note() {
    const Banner* banner = w_->parts().notices->find("gitNote");
    return banner ? banner->text() : QString();
  }
  QString sent() const {
    const auto messages = server_->requests().last().body.value("messages");
    return messages.toArray().last().toObject().value("content").toString();
  }

  std::unique_ptr<WindowFixture> w_;
  std::unique_ptr<ScriptedEndpoint> server_;
};

}  // namespace

QTEST_MAIN(TestCommitDraft)
#include "test_commit_draft.moc"
