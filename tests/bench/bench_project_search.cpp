// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the search in all files of a large project: until the list of its files is read, until
// the first results of a search are told, and until the last; for a word that is in every tenth
// file, for one that is in the last file only, and for one that is nowhere; beside ripgrep, where
// that is installed. Each is the median of five, taken in turns.
//   bench_project_search [FILES [FOLDER]]   50000 files; a tree of them is made, unless FOLDER has
//   one
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <ctime>

#include "gui/project/file_index.h"
#include "workbench/search/project_finder.h"

using namespace waferpair;
using namespace Qt::StringLiterals;

namespace {

constexpr int kRounds = 5;
constexpr int kInFolder = 100;

struct Took {
  double first = 0;  // ms until the first results were told
  double all = 0;    // ms until the last
  double cpu = 0;    // ms of processor time, of all threads
  qsizetype matches = 0;
};

void makeTree(const QString& folder, int files) {
  for (int i = 0; i < files; ++i) {
    const QString below = u"%1/part%2/group%3"_s.arg(folder).arg(i / 10'000).arg(i / kInFolder);
    if (i % kInFolder == 0) QDir().mkpath(below);
    QByteArray text = "// SPDX-License-Identifier: MIT\n#include <vector>\n\n";
    for (int line = 0; line < 60 + i % 80; ++line)
      text += "int value" + QByteArray::number(i * 100 + line) + "(int count) { return count * " +
              QByteArray::number(line) + "; }\n";
    if (i % 10 == 0) text += "// every tenth file has this marker\n";
    if (i == files - 1) text += "// theNeedle\n";
    QFile file(u"%1/file%2.cpp"_s.arg(below).arg(i));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
      qFatal("the tree can't be written");
  }
}

Took search(const QString& root, const QStringList& files, const QString& word) {
  editor::FindQuery query;
  query.text = word;
  query.caseSensitive = false;
  const auto what = workbench::TextSearch::make(query);
  workbench::ProjectFinder finder;
  Took took;
  QElapsedTimer timer;
  QEventLoop loop;
  QObject::connect(&finder, &workbench::ProjectFinder::found, &loop, [&] {
    if (took.first == 0) took.first = static_cast<double>(timer.nsecsElapsed()) / 1e6;
  });
  QObject::connect(&finder, &workbench::ProjectFinder::finished, &loop,
                   [&](const workbench::FindSummary& summary) {
                     took.all = static_cast<double>(timer.nsecsElapsed()) / 1e6;
                     took.matches = summary.matches;
                     loop.quit();
                   });
  const std::clock_t before = std::clock();
  timer.start();
  finder.start({root, files, {}, {}, {}}, *what);
  loop.exec();
  took.cpu = 1e3 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  return took;
}

double ripgrep(const QString& program, const QString& root, const QString& word) {
  QElapsedTimer timer;
  timer.start();
  QProcess process;
  process.setStandardOutputFile(QProcess::nullDevice());
  process.start(program, {u"--line-number"_s, u"--ignore-case"_s, u"--no-config"_s, word, root});
  process.waitForFinished(-1);
  return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

double median(QVector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const QCoreApplication app(argc, argv);
  const int count = argc > 1 ? QByteArray(argv[1]).toInt() : 50'000;
  const QTemporaryDir made;
  const QString root = argc > 2 ? QString::fromLocal8Bit(argv[2]) : made.path();
  if (argc <= 2) makeTree(root, count);

  QStringList files;
  QVector<double> listing;
  for (int round = 0; round < kRounds; ++round) {
    QElapsedTimer timer;
    timer.start();
    const std::atomic<bool> cancelled = false;
    files = gui::listProjectFiles(root, gui::FileIndex::kMostFiles, cancelled);
    listing.append(static_cast<double>(timer.nsecsElapsed()) / 1e6);
  }
  std::printf("%lld files listed in %.0f ms\n", static_cast<long long>(files.size()),
              median(listing));

  const QString program = QStandardPaths::findExecutable(u"rg"_s);
  for (const QString& word : {u"marker"_s, u"theNeedle"_s, u"notThere"_s}) {
    QVector<double> first, all, cpu, other;
    qsizetype matches = 0;
    for (int round = 0; round < kRounds; ++round) {
      const Took took = search(root, files, word);
      first.append(took.first);
      all.append(took.all);
      cpu.append(took.cpu);
      matches = took.matches;
      if (!program.isEmpty()) other.append(ripgrep(program, root, word));
    }
    std::printf(
        "%-10s %6lld matches: first after %7.1f ms, all after %7.1f ms, %7.1f ms of processor",
        qPrintable(word), static_cast<long long>(matches), median(first), median(all), median(cpu));
    if (!other.isEmpty())
      std::printf("; ripgrep %7.1f ms, ratio %.2f", median(other), median(all) / median(other));
    std::printf("\n");
  }
}
