// SPDX-License-Identifier: GPL-3.0-or-later
// A folder whose texts have the scripted language server, or one that is installed.
#pragma once

#include <QTemporaryDir>
#include <QtTest>

#include "tests/support/paths.h"
#include "tests/support/text_sync.h"
#include "workbench/language/language_service.h"

namespace waferpair::workbench {

// Milliseconds: long enough on a busy machine, short where a test waits for the end of them.
inline LanguagePatience brisk() {
  LanguagePatience patience;
  patience.again = std::chrono::milliseconds(10);
  patience.restarts = 2;
  return patience;
}

inline LanguageServer scripted(const QString& how) {
  LanguageServer server;
  server.id = QStringLiteral("scripted");
  server.languages = {{"C++", "cpp"}, {"Python", "python"}};
  server.programs = {QStringLiteral("python3")};
  server.arguments = {QString::fromStdString(test::sourceDir()) +
                          QStringLiteral("/tests/workbench/language/scripted_server.py"),
                      how};
  server.markers = {QStringLiteral("marker.json")};
  server.settings = {{"scripted", QJsonObject{{"depth", 7}}}};
  return server;
}

// What the user has said.
struct UsersWord {
  bool isTrusted = true;
  QSet<QString> agreed = {}, declined = {};  // by the keys of starts

  programs::StartRule rule() {
    return [this](const programs::GivenStart& start) {
      return !isTrusted                       ? programs::StartWord::kRestricted
             : agreed.contains(start.key())   ? programs::StartWord::kAgreed
             : declined.contains(start.key()) ? programs::StartWord::kDeclined
                                              : programs::StartWord::kUnasked;
    };
  }
};

// A folder with a service, whose offers are agreed to.
class LanguageProject {
 public:
  explicit LanguageProject(const QString& how, LanguagePatience patience = brisk(),
                           bool agrees = true)
      : LanguageProject(scripted(how), patience, agrees) {}
  explicit LanguageProject(const LanguageServer& server, LanguagePatience patience = {},
                           bool agrees = true)
      : service(&sync, {.shipped = {server}, .patience = patience, .rule = word.rule()}) {
    service.setFolder(folder.path());
    QObject::connect(&service, &LanguageService::said, &service,
                     [this](const QString&, const QString& text, bool) { said.append(text); });
    if (agrees) {
      QObject::connect(&service, &LanguageService::offersChanged, &service, [this] {
        // Not while it is told of a text.
        QMetaObject::invokeMethod(
            &service, [this] { agreeToAll(); }, Qt::QueuedConnection);
      });
    }
  }
  void agreeToAll() {
    for (const LanguageService::Offer& offer : service.offers())
      word.agreed.insert(offer.start.key());
    service.lookAgain();
  }
  void open(const QString& name, const QByteArray& text) {
    sync.openText(path(name), QStringLiteral("C++"), 1, text);
  }
  QString path(const QString& name) const { return folder.filePath(name); }

  // What the server answers to a question without a place.
  QJsonValue ask(const QString& method, const QString& name) {
    std::optional<QJsonValue> result;
    LanguageClient* client = service.clientOf(path(name));
    if (!client || client->ask(method, path(name), {},
                               [&](const LanguageAnswer& answer) { result = answer.result; }) == 0)
      return QStringLiteral("not asked");
    if (!QTest::qWaitFor([&] { return result.has_value(); }, 10'000))
      return QStringLiteral("not answered");
    return *result;
  }
  LanguageClient::State stateOf(const QString& name) const {
    const LanguageClient* client = service.clientOf(path(name));
    return client ? client->state() : LanguageClient::State::kStopped;
  }
  bool becomesReady(const QString& name) const {
    return QTest::qWaitFor([&] { return stateOf(name) == LanguageClient::State::kReady; }, 10'000);
  }
  // "start-end severity message" of each.
  QStringList found(const QString& name) const {
    QStringList found;
    for (const Diagnostic& one : service.diagnostics(path(name)))
      found.append(QStringLiteral("%1-%2 %3 %4")
                       .arg(one.range.start)
                       .arg(one.range.end)
                       .arg(static_cast<int>(one.severity))
                       .arg(one.text()));
    return found;
  }

  QTemporaryDir folder;
  test::TextSync sync;
  UsersWord word;
  LanguageService service;
  QStringList said;
};

}  // namespace waferpair::workbench
