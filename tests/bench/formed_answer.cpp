// SPDX-License-Identifier: GPL-3.0-or-later
// Plans, remarks and messages of commits by a real model, without the window: what
// formed_answers.py judges.
//
//   formed_answer --url URL --token-file FILE [--model NAME] [--free] < CASES > RESULTS
//
// CASES is a JSON list of {id, kind, wish, files, texts, diffs}: kind is "plan", "commit" or
// "remarks"; `files` are the names in the project; `texts`, by name, go along with a plan. RESULTS
// has a line of JSON for each: {id, answer, steps | remarks | message, ms}, read as the window
// reads it. --free asks as of a server that keeps to no form.
#include <CLI/CLI.hpp>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cstdio>

#include "pairing/answers/search_replace.h"
#include "pairing/endpoints/responses_endpoint.h"
#include "pairing/plans/plan_request.h"
#include "pairing/plans/task_list.h"
#include "pairing/review/commit_message.h"
#include "pairing/review/remarks.h"
#include "pairing/review/review_request.h"

using namespace waferpair::pairing;

namespace {

constexpr int kMostOutputTokens = 4096;  // as the window asks of waferd

QStringList textsIn(const QJsonValue& list) {
  QStringList texts;
  for (const QJsonValue one : list.toArray()) texts.append(one.toString());
  return texts;
}

QVector<ContextItem> itemsIn(const QJsonObject& one) {
  QVector<ContextItem> items;
  const QJsonObject texts = one.value(u"texts").toObject();
  for (auto it = texts.begin(); it != texts.end(); ++it) {
    ContextItem item;
    item.name = it.key();
    item.path = u'/' + it.key();
    item.text = it.value().toString();
    items.append(item);
  }
  for (const QString& diff : textsIn(one.value(u"diffs"))) {
    ContextItem item;
    item.kind = ContextItem::Kind::kDiff;
    item.name = diff.section(QLatin1String("+++ b/"), 1).section(u'\n', 0, 0);
    item.path = u'/' + item.name;
    item.text = diff;
    items.append(item);
  }
  return items;
}

ModelRequest requestOf(const QJsonObject& one, bool keepsForms) {
  const QString kind = one.value(u"kind").toString(), wish = one.value(u"wish").toString();
  const QVector<ContextItem> items = itemsIn(one);
  if (kind == u"commit") return commitRequest(textsIn(one.value(u"diffs")).join(u'\n'), keepsForms);
  if (kind == u"remarks") return remarksRequest(items, keepsForms);
  if (!keepsForms) return planRequest(Plan::make(), wish, items);
  return formedPlanRequest(Plan::make(), wish, items, textsIn(one.value(u"files")));
}

void read(const QString& kind, const QString& answer, bool keepsForms, QJsonObject* result) {
  if (kind == u"commit") {
    result->insert(u"message", commitMessageIn(answer, keepsForms));
  } else if (kind == u"remarks") {
    const auto reader = makeAnswerReader(AnswerFormat::kSearchReplace);
    reader->feed(answer.toUtf8());
    reader->finish();
    QJsonArray remarks;
    for (const Remark& remark : remarksIn(reader->answer()))
      remarks.append(QJsonObject{{"path", remark.path},
                                 {"line", remark.line},
                                 {"text", remark.text},
                                 {"changes", remark.changes.size()}});
    result->insert(u"remarks", remarks);
  } else {
    QJsonArray steps;
    for (const TaskItem& item : readTaskList(answer).items) steps.append(item.text);
    result->insert(u"steps", steps);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App cli("Plans, remarks and messages of commits by a real model, without the window");
  std::string url, tokenFile, model;
  bool isFree = false;
  cli.add_option("--url", url)->required();
  cli.add_option("--token-file", tokenFile);
  cli.add_option("--model", model);
  cli.add_flag("--free", isFree, "ask as of a server that keeps to no form");
  CLI11_PARSE(cli, argc, argv);

  const QCoreApplication app(argc, argv);
  QFile token(QString::fromStdString(tokenFile));
  if (!tokenFile.empty() && !token.open(QIODevice::ReadOnly))
    qFatal("formed_answer: cannot read the token");
  ResponsesEndpoint endpoint(
      {QUrl(QString::fromStdString(url)),
       tokenFile.empty() ? QByteArray() : token.readAll().trimmed(), QString::fromStdString(model)},
      ResponsesEndpoint::Transport::kEvents);
  QFile in, out;
  if (!in.open(stdin, QIODevice::ReadOnly) || !out.open(stdout, QIODevice::WriteOnly)) return 1;
  const QJsonArray cases = QJsonDocument::fromJson(in.readAll()).array();
  for (const QJsonValue value : cases) {
    const QJsonObject one = value.toObject();
    ModelRequest request = requestOf(one, !isFree);
    if (!request.mostOutputTokens) request.mostOutputTokens = kMostOutputTokens;
    const auto shown = ShownRequest::of(std::move(request));
    if (!shown) qFatal("formed_answer: %s", qPrintable(shown.error().message()));
    QElapsedTimer clock;
    clock.start();
    const auto reply = endpoint.send(*shown);
    QEventLoop loop;
    QString failed;
    QObject::connect(reply.get(), &ModelReply::finished, &loop, &QEventLoop::quit);
    QObject::connect(reply.get(), &ModelReply::failed, &loop, [&](const ReplyFailure& failure) {
      failed = failure.message();
      loop.quit();
    });
    loop.exec();
    QJsonObject result{{"id", one.value(u"id")},
                       {"answer", reply->text()},
                       {"ms", static_cast<double>(clock.nsecsElapsed()) / 1e6},
                       {"failed", failed}};
    read(one.value(u"kind").toString(), reply->text(), !isFree, &result);
    out.write(QJsonDocument(result).toJson(QJsonDocument::Compact) + '\n');
    out.flush();
  }
  return 0;
}
