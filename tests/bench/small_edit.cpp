// SPDX-License-Identifier: GPL-3.0-or-later
// Edits in place by a real model, without the window: what small_edits.py judges.
//
//   small_edit --url URL --token-file FILE [--model NAME] [--parameters N] < CASES > RESULTS
//
// CASES is a JSON list of {id, file, path, language, line, instruction}; RESULTS has a line of JSON
// for each. A case with "answers" asks no model: these were recorded. {id, outcome, text, says, ms,
// answers}. The caret is on the case's line, as after Ctrl+G, and what is asked and read is what
// Ctrl+K asks and reads.
#include <CLI/CLI.hpp>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cstdio>

#include "editor/assist/hunks.h"
#include "pairing/edits/edit_asking.h"
#include "pairing/edits/target_lines.h"
#include "pairing/endpoints/responses_endpoint.h"
#include "tests/pairing/recorded_endpoint.h"

using namespace waferpair;
using editor::Snapshot;
using editor::TextEdit;

namespace {

constexpr int kMostOutputTokens = 4096;

// Keeps what was answered.
class Listening : public pairing::Endpoint {
 public:
  explicit Listening(pairing::EndpointAddress address)
      : inner_(std::move(address), pairing::ResponsesEndpoint::Transport::kEvents) {}

  const pairing::EndpointAddress& address() const override { return inner_.address(); }
  std::unique_ptr<pairing::ModelReply> send(const pairing::ShownRequest& request) override {
    pairing::ModelRequest limited = *request;
    if (!limited.mostOutputTokens) limited.mostOutputTokens = kMostOutputTokens;
    auto reply = inner_.send(*pairing::ShownRequest::of(limited));
    answers_.append(QString());
    const qsizetype at = answers_.size() - 1;
    QObject::connect(reply.get(), &pairing::ModelReply::textArrived, reply.get(),
                     [this, at](const QString& delta) { answers_[at] += delta; });
    return reply;
  }

  QStringList take() { return std::exchange(answers_, {}); }

 private:
  pairing::ResponsesEndpoint inner_;
  QStringList answers_;
};

QJsonObject edited(const QJsonObject& one, pairing::Endpoint* endpoint, pairing::EditForm form) {
  QFile file(one.value(u"file").toString());
  if (!file.open(QIODevice::ReadOnly)) qFatal("small_edit: cannot read a case's file");
  Snapshot text(file.readAll());
  const qint64 caret = text.lineStart(one.value(u"line").toInteger() - 1);
  const pairing::Target target = pairing::targetAt(text, caret, caret);
  const pairing::EditTask task{one.value(u"instruction").toString(),
                               one.value(u"path").toString(),
                               one.value(u"language").toString(),
                               text,
                               target.lines,
                               {}};
  editor::Hunks hunks([&text](const QVector<TextEdit>& edits) {
    for (const TextEdit& edit : edits) text = text.replaced(edit.start, edit.end, edit.text);
    return true;
  });
  hunks.offer({QStringLiteral("1"), {}, {}});
  QElapsedTimer clock;
  clock.start();
  const auto begun =
      pairing::askForEdit(task, {endpoint, {}, form}, &hunks, [&text] { return text; });
  if (!begun) qFatal("small_edit: %s", qPrintable(begun.error().message()));
  pairing::EditRun& run = **begun;
  QEventLoop loop;
  QObject::connect(&run, &pairing::EditRun::changed, &loop, [&] {
    if (run.isOver()) loop.quit();
  });
  if (!run.isOver()) loop.exec();
  const double ms = static_cast<double>(clock.nsecsElapsed()) / 1e6;
  const bool isOffered = hunks.offeredCount() > 0;
  hunks.acceptAll();
  QString says = run.failure() ? run.failure()->message() : run.remark();
  for (const auto& left : run.unplaced()) says += u'\n' + left.why.message();
  return {{"id", one.value(u"id")},
          {"outcome", isOffered ? QStringLiteral("offered") : QStringLiteral("refused")},
          {"first", target.lines.first},
          {"count", target.lines.count},
          {"text", QString::fromUtf8(text.toByteArray())},
          {"says", says},
          {"ms", ms}};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App cli("Edits in place by a real model, without the window");
  std::string url, tokenFile, model;
  qint64 parameters = -1;
  cli.add_option("--url", url);
  cli.add_option("--token-file", tokenFile);
  cli.add_option("--model", model);
  cli.add_option("--parameters", parameters, "that its file has; -1: not known");
  CLI11_PARSE(cli, argc, argv);

  const QCoreApplication app(argc, argv);
  QFile token(QString::fromStdString(tokenFile));
  if (!tokenFile.empty() && !token.open(QIODevice::ReadOnly))
    qFatal("small_edit: cannot read the token");
  Listening endpoint({QUrl(QString::fromStdString(url)),
                      tokenFile.empty() ? QByteArray() : token.readAll().trimmed(),
                      QString::fromStdString(model)});
  QFile in, out;
  if (!in.open(stdin, QIODevice::ReadOnly) || !out.open(stdout, QIODevice::WriteOnly)) return 1;
  const QJsonArray cases = QJsonDocument::fromJson(in.readAll()).array();
  for (const QJsonValue one : cases) {
    QStringList recorded;
    for (const QJsonValue answer : one[u"answers"].toArray()) recorded += answer.toString();
    pairing::RecordedEndpoint again(recorded);
    QJsonObject result = edited(
        one.toObject(), recorded.isEmpty() ? static_cast<pairing::Endpoint*>(&endpoint) : &again,
        pairing::editFormFor(parameters));
    result.insert(u"answers",
                  QJsonArray::fromStringList(recorded.isEmpty() ? endpoint.take() : recorded));
    out.write(QJsonDocument(result).toJson(QJsonDocument::Compact) + '\n');
    out.flush();
  }
  return 0;
}
