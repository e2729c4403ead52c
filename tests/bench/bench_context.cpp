// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what goes along with a question unasked: the share of questions with a known answer for
// which a file that has it is in the context, and the time it takes to gather. No model is asked.
//
//   bench_context [--misses] NAME=FOLDER...
//
// NAME is one of tests/bench/context_questions.json: "waferpair" is this repository, "python" the
// standard library (/usr/lib/python3.11). All of it is host time.
#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <atomic>
#include <cstdio>

#include "pairing/context/unasked_context.h"
#include "tests/support/paths.h"

using namespace waferpair;
using pairing::ContextItem;

namespace {

constexpr qint64 kBudgets[] = {1'500, 4'000, 8'000};

struct Question {
  QString text;
  QStringList files;
};

QVector<Question> questionsOf(const QString& project) {
  QFile file(QString::fromStdString(test::sourceDir()) +
             QStringLiteral("/tests/bench/context_questions.json"));
  if (!file.open(QFile::ReadOnly)) qFatal("no questions");
  QVector<Question> questions;
  for (const QJsonValue& each : QJsonDocument::fromJson(file.readAll())[project].toArray()) {
    Question question{each["question"].toString(), {}};
    for (const QJsonValue& path : each["files"].toArray()) question.files += path.toString();
    questions.append(question);
  }
  return questions;
}

QStringList filesOf(const QString& root) {
  QStringList files;
  QDirIterator it(root, QDir::Files | QDir::NoSymLinks, QDirIterator::Subdirectories);
  while (it.hasNext()) {
    const QString file = QDir(root).relativeFilePath(it.next());
    if (!file.startsWith(QLatin1String("build/")) && !file.contains(QLatin1String("__pycache__")))
      files.append(file);
  }
  files.sort();
  return files;
}

bool hasAny(const QVector<ContextItem>& items, const QString& root, const QStringList& files) {
  return std::any_of(items.begin(), items.end(), [&](const ContextItem& item) {
    return item.isSent() && files.contains(item.path.mid(root.size() + 1));
  });
}

void measure(const QString& name, const QString& root, bool showsMisses) {
  const QVector<Question> questions = questionsOf(name);
  if (questions.isEmpty()) qFatal("no questions about %s", qPrintable(name));
  pairing::ContextRequest request;
  request.root = root;
  request.files = filesOf(root);
  request.budget = 1 << 20;
  const std::atomic<bool> goesOn{false};
  request.passages = pairing::ProjectPassages::read({root, request.files, {}}, {}, goesOn);
  std::printf("%s: %lld files, %lld questions\n", qPrintable(name),
              static_cast<long long>(request.passages->fileCount()),
              static_cast<long long>(questions.size()));
  for (const qint64 budget : kBudgets) {
    int found = 0;
    qint64 tokens = 0;
    QVector<double> times;
    for (const Question& question : questions) {
      request.question = question.text;
      request.unasked.budget = budget;
      QElapsedTimer clock;
      clock.start();
      const QVector<ContextItem> items = pairing::gatherContext(request);
      times.append(static_cast<double>(clock.nsecsElapsed()) / 1e6);
      tokens += pairing::tokensOf(items);
      const bool isThere = hasAny(items, root, question.files);
      found += isThere ? 1 : 0;
      if (isThere || !showsMisses) continue;
      std::printf("  missed: %s\n   ", qPrintable(question.text));
      for (const ContextItem& item : items)
        if (item.kind == ContextItem::Kind::kPassage) std::printf(" %s", qPrintable(item.name));
      std::printf("\n");
    }
    std::sort(times.begin(), times.end());
    std::printf(
        "  %5lld tokens at most, %5lld on average: the file is there for %5.1f %%; %.0f ms\n",
        static_cast<long long>(budget), static_cast<long long>(tokens / questions.size()),
        100.0 * found / static_cast<double>(questions.size()), times[times.size() / 2]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const QCoreApplication application(argc, argv);
  QStringList arguments = QCoreApplication::arguments().mid(1);
  const bool showsMisses = arguments.removeAll(QStringLiteral("--misses")) > 0;
  for (const QString& argument : arguments)
    measure(argument.section(u'=', 0, 0), QDir(argument.section(u'=', 1)).absolutePath(),
            showsMisses);
  return 0;
}
