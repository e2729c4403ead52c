// SPDX-License-Identifier: GPL-3.0-or-later
// Measures an edit in place at the pace of a real model: the window, its request, waferd with a
// model of random weights, and the changes on offer. The model computes every token; the text that
// the window sees for them is the bench's (paced_endpoint.h), so that it holds changes. No guessed
// token is ever right, so this is what an answer costs without speculation. All of it is host time.
//
//   bench_edit_pace [--size 30M] [--format Q4_0] [--rounds 30]
//
// The file is about 2,000 tokens, an answer 200; the instruction is another one each time.
// Runs under any Qt platform (QT_QPA_PLATFORM=offscreen, or Xvfb).
#include <CLI/CLI.hpp>
#include <QApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QProcess>
#include <QTemporaryDir>
#include <memory>

#include "editor/assist/hunks.h"
#include "gui/automation/input.h"
#include "gui/documents/document.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/theme.h"
#include "gui/shell/main_window.h"
#include "gui/store/app_paths.h"
#include "pairing/models/model_roster.h"
#include "runtime/tensor/block_formats.h"
#include "tests/bench/paced_endpoint.h"
#include "tests/bench/random_shapes.h"
#include "tests/bench/window_bench.h"
#include "tests/support/paths.h"

using namespace waferpair;
using namespace waferpair::bench;
using namespace waferpair::gui;

namespace {

constexpr int kFunctions = 28;
constexpr int kChanges = 4;
constexpr int kAnswerTokens = 200;
constexpr int kLoadMs = 60'000;

QString head(int number) { return QStringLiteral("int value%1(int a) {\n").arg(number); }
QString sum(int number) { return QStringLiteral("  int b = a + %1;\n").arg(number); }

// Every seventh function's first lines are replaced.
QString answerText() {
  QString text;
  for (int i = 0; i < kChanges; ++i) {
    const int number = i * 7;
    text += "<<<<<<< SEARCH\n" + head(number) + sum(number) + "=======\n" + head(number) +
            QStringLiteral(
                "  // The constant is added once, and the result is kept unchanged.\n"
                "  const int b = a + %1;\n>>>>>>> REPLACE\n\n")
                .arg(number);
  }
  return text;
}

struct Listening {
  QUrl base;
  QByteArray key;
};

Listening start(QProcess* server, const QString& folder, const QString& model) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("XDG_RUNTIME_DIR", folder);
  server->setProcessEnvironment(environment);
  server->setProcessChannelMode(QProcess::ForwardedErrorChannel);
  server->start(QString::fromStdString(test::programDir()) + "/waferd", {"--model", model});
  if (!server->waitForReadyRead(kLoadMs)) qFatal("waferd does not start");
  const QJsonObject said = QJsonDocument::fromJson(server->readLine()).object();
  QFile token(said["token_file"].toString());
  if (!token.open(QIODevice::ReadOnly)) qFatal("waferd has no token");
  return {QUrl(QStringLiteral("http://127.0.0.1:%1/v1").arg(said["port"].toInt())),
          token.readAll().trimmed()};
}

}  // namespace

int main(int argc, char** argv) {
  std::string size = "30M", formatName = "Q4_0";
  int rounds = 30;
  CLI::App app{"Measures an edit in place at the pace of a real model"};
  app.add_option("--size", size)->check(CLI::IsMember(&randomShapes()));
  app.add_option("--format", formatName, tensor::formatNames());
  app.add_option("--rounds", rounds)->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);

  const QTemporaryDir folder;
  useProfile(folder.path());
  test::TinyModel shape = randomShapes().at(size);
  const auto format = tensor::parseFormat(formatName);
  if (!format) qFatal("%s", format.error().message().c_str());
  shape.type = static_cast<gguf::TensorType>(tensor::infoOf(*format).ggmlType);
  auto writer = test::makeTinyModel(shape);
  writer.addString("tokenizer.chat_template",
                   "{{'<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>'}}");
  const QString modelFile = folder.filePath("model.gguf");
  if (const auto written = writer.write(modelFile.toStdString()); !written)
    qFatal("%s", written.error().message().c_str());
  QProcess server;
  const Listening listening = start(&server, folder.path(), modelFile);

  const QApplication application(argc, argv);
  Theme::instance().apply(ThemeKind::kDark);
  const QString path = folder.filePath("values.cpp");
  QFile file(path);
  if (!file.open(QFile::WriteOnly)) qFatal("no file");
  for (int i = 0; i < kFunctions; ++i)
    file.write((head(i) + sum(i) + "  return b;\n}\n\n").toUtf8());
  file.close();

  // Until the model is loaded the server says 503.
  QNetworkAccessManager network;
  bool loaded = false;
  while (!loaded) {
    const std::unique_ptr<QNetworkReply> health(
        network.get(QNetworkRequest(QUrl(listening.base.toString() + "/health"))));
    waitUntil([&] { return health->isFinished(); });
    loaded = health->error() == QNetworkReply::NoError;
  }
  PacedEndpoint endpoint(listening.base, listening.key, QString::fromStdString(shape.name));
  endpoint.setAnswer(answerText(), kAnswerTokens);
  MainWindow window(AppPaths::forUser(), nullptr);
  window.show();
  window.activateWindow();
  window.start({path});
  waitUntil([&] { return window.isActiveWindow(); });
  pairing::ModelEntry model;
  model.id = model.name = QString::fromStdString(shape.name);
  model.address.base = endpoint.base();
  model.address.model = "paced";
  model.contextTokens = shape.contextLength;
  window.parts().roster->setModels({model});
  window.parts().roster->setRole(pairing::ModelRoster::Role::kFast, model.id);

  Document* document = window.parts().tabs->current();
  const auto offered = [&] { return document->hunks()->offeredCount(); };
  QVector<double> first, drawn, all;
  qint64 input = 0, anew = 0;
  for (int i = -1; i < rounds; ++i) {  // the first one reads the file
    document->setFocus();
    document->editor()->selectAll();
    input::pressKey(&window, Qt::Key_K, Qt::ControlModifier);
    input::type(&window, QStringLiteral("say what is added, version %1").arg(i + 1));
    QElapsedTimer clock;
    clock.start();
    input::pressKey(&window, Qt::Key_Return);
    waitUntil([&] { return offered() > 0; });
    const double atFirst = msSince(clock);
    window.repaint();
    const double atPicture = msSince(clock);
    waitUntil([&] { return offered() == kChanges; });
    window.repaint();
    const double atAll = msSince(clock);
    waitUntil([&] { return endpoint.answered() == i + 2; });
    document->hunks()->dismissAll();
    if (i < 0) continue;
    first += atFirst;
    drawn += atPicture;
    all += atAll;
    input = std::max(input, endpoint.inputTokens());
    anew = std::max(anew, endpoint.inputTokens() - endpoint.cachedTokens());
  }
  std::printf(
      "%s %s: a prompt of up to %lld tokens, up to %lld of them read anew; %d tokens of answer\n",
      shape.name.c_str(), formatName.c_str(), static_cast<long long>(input),
      static_cast<long long>(anew), kAnswerTokens);
  row("Enter to the first change on offer", first);
  row("Enter to its picture", drawn);
  row("Enter to the picture of all changes", all);
  document->editor()->setUnmodified();
  server.terminate();
  server.waitForFinished(kLoadMs);
  return 0;
}
