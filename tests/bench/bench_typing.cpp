// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what suggestions are worth to somebody who types: source files are typed letter by
// letter into the real editor, which asks the real model server after each key as it always does,
// and each ghost that is shown is compared with what comes next in the file.
//
//   bench_typing [--model FILE.gguf] [--level PERCENT] [--bar PERCENT] [--given LINES]
//                [--lines LINES] [--details FILE.tsv] SOURCE...
//
// The first --given lines of each SOURCE stand in the editor at first, the next --lines are typed,
// nothing stands behind them, and no other file is known. --level is the setting "Suggest"; with
// --bar the same certainty is asked for at every place: runs with several show what each place
// needs (editor/assist/suggestion_gate.h). The sources should be new to the model: in no package of
// its manifest. Needs waferd beside it.
//
// Terms of the table: a ghost is counted once, where it appears, however long it is typed through.
// It is right when all of it is what comes next and it does not end inside a word. A letter is a
// character that is not a blank. One that was shown when a key contradicted it and is followed by
// another at once has changed.
#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QKeyEvent>
#include <QTemporaryDir>
#include <QTimer>
#include <array>
#include <cstdio>

#include "editor/assist/suggestion_gate.h"
#include "editor/ghost/ghost_text.h"
#include "editor/text/word_byte.h"
#include "editor/widget/code_editor.h"
#include "gui/client/completion_service.h"
#include "gui/client/runtime_service.h"
#include "gui/model/runtime_memory.h"
#include "gui/store/app_paths.h"
#include "gui/store/settings.h"
#include "tests/editor/suggesting_editor.h"

using namespace waferpair;
using namespace waferpair::editor;

namespace {

constexpr int kPatienceMs = 30'000;  // only a hang takes that long
constexpr std::array kPlaces = {CaretPlace::kLineStart, CaretPlace::kMember, CaretPlace::kWord,
                                CaretPlace::kElsewhere};
constexpr std::array kPlaceNames = {"line start", "behind . -> ::", "in a word", "elsewhere"};

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

qsizetype lettersOf(const QByteArray& text) {
  return std::count_if(text.begin(), text.end(), [](char c) {
    const bool continues = (c & 0xc0) == 0x80;  // of a character in UTF-8
    return !isBlank(c) && !continues;
  });
}

// Hands everything on, and knows whether an answer is still to come.
class Relay : public CompletionProvider {
 public:
  // `bar`: asked for in place of what the editor asks for; negative: nothing is replaced.
  Relay(CompletionProvider* real, double bar) : real_(real), bar_(bar) {
    connect(real, &CompletionProvider::completionText, this, &Relay::completionText);
    connect(real, &CompletionProvider::availabilityChanged, this, &Relay::availabilityChanged);
    connect(real, &CompletionProvider::completionFinished, this,
            [this](quint64 request, CompletionEnd end) {
              open_.remove(request);
              Q_EMIT completionFinished(request, end);
            });
  }
  RequestId requestCompletion(const CompletionQuery& query) override {
    CompletionQuery asked = query;
    if (bar_ >= 0) asked.leastProbability = bar_;
    const RequestId request = real_->requestCompletion(asked);
    if (request != 0) open_.insert(request);
    return request;
  }
  void cancelCompletion(RequestId request) override { real_->cancelCompletion(request); }
  QString silenceReason(const DocumentId& id) const override { return real_->silenceReason(id); }

  bool isIdle() const { return open_.isEmpty(); }

 private:
  CompletionProvider* real_;
  double bar_;
  QSet<RequestId> open_;
};

struct Tally {
  int keys = 0;
  int withGhost = 0;
  int ghosts = 0;
  int right = 0;
  int changed = 0;
  qsizetype rightLetters = 0;

  Tally& operator+=(const Tally& other) {
    keys += other.keys;
    withGhost += other.withGhost;
    ghosts += other.ghosts;
    right += other.right;
    changed += other.changed;
    rightLetters += other.rightLetters;
    return *this;
  }
};

class Typist {
 public:
  Typist(Relay* provider, DocumentSubscriber* subscriber, double level, QFile* details)
      : provider_(provider), suggesting_(&editor_, provider, subscriber), details_(details) {
    editor_.resize(1000, 700);
    editor_.show();
    suggesting_.controller.setLeastProbability(level);
  }

  void type(const QString& path, const QByteArray& text, qsizetype given, qsizetype count) {
    lines_ = text.split('\n');
    for (QByteArray& line : lines_)
      while (!line.isEmpty() && isBlank(line.back())) line.chop(1);
    const qsizetype first = std::min(given, lines_.size());
    const qsizetype last = std::min(first + count, lines_.size());
    name_ = QFileInfo(path).fileName();
    editor_.setText(first == 0 ? QByteArray() : lines_.mid(0, first).join('\n') + '\n');
    editor_.setLanguage(languageForFile(path));
    editor_.setIndentation(detectIndentation(text));
    editor_.setSelection(editor_.length(), editor_.length());
    suggesting_.open("/new/" + name_);
    settle();
    for (line_ = first; line_ < last; ++line_) typeLine();
    suggesting_.close();
  }

  const Tally& tally(CaretPlace place) const { return tallies_[static_cast<size_t>(place)]; }
  qsizetype letters() const { return letters_; }

 private:
  // The caret stands at the end of the text, in what the editor has made of the new line.
  void typeLine() {
    const QByteArray& line = lines_[line_];
    letters_ += lettersOf(line);
    const qsizetype blanks = leadingBlanks(line).size();
    // The last blank that the editor did not give is typed: then suggestions are asked for.
    correct(line.first(std::max<qsizetype>(0, blanks - 1)), blanks);
    for (qsizetype at = here().size(); at < line.size();) {
      // UTF-8 characters as a whole.
      qsizetype end = at + 1;
      while (end < line.size() && (line[end] & 0xc0) == 0x80) ++end;
      key(Qt::Key_unknown, line.mid(at, end - at));
      at = end;
      correct(line.first(at), at);
    }
    key(Qt::Key_Return, "\n");
  }

  QByteArray here() const { return editor_.lineText(editor_.caretLine()); }

  // Brings the line to `wanted` unless the editor's own blanks did, or to at `most` so much of it.
  void correct(const QByteArray& wanted, qsizetype most) {
    const QByteArray now = here();
    const bool good = lines_[line_].startsWith(now);
    if (good && now.size() >= wanted.size() && now.size() <= most) return;
    const int line = editor_.caretLine();
    editor_.replaceRange(editor_.lineStart(line), editor_.lineEnd(line), wanted);
    editor_.setSelection(editor_.length(), editor_.length());
    settle();
    shown_ = editor_.ghost()->isShown() ? editor_.ghost()->remaining() : QByteArray();
  }

  void key(Qt::Key key, const QByteArray& text) {
    QKeyEvent press(QEvent::KeyPress, key, {},
                    text == "\n" ? QStringLiteral("\r") : QString::fromUtf8(text));
    QApplication::sendEvent(&editor_, &press);
    settle();
    measure(text);
  }

  void measure(const QByteArray& typed) {
    const QByteArray now = editor_.ghost()->isShown() ? editor_.ghost()->remaining() : QByteArray();
    const bool followed = !shown_.isEmpty() && shown_.startsWith(typed);
    const bool same = followed && now.startsWith(shown_.mid(typed.size())) && shown_ != typed;
    const QByteArray prefix = here();
    Tally& tally = tallies_[static_cast<size_t>(caretPlace(prefix))];
    ++tally.keys;
    if (!shown_.isEmpty() && !followed) ++contradictions_;
    if (typed == "\n") contradictions_ = 0;
    if (!now.isEmpty()) {
      ++tally.withGhost;
      if (!same) {
        ++tally.ghosts;
        const bool right = isRight(now, truth(typed == "\n", prefix));
        if (right) {
          ++tally.right;
          tally.rightLetters += lettersOf(now);
        }
        const bool changed = !shown_.isEmpty() && !followed;
        if (changed) ++tally.changed;
        note(prefix, now, right, changed);
      }
    }
    shown_ = now;
  }

  // Returns the text that comes behind the caret; nothing when the line begins otherwise than it
  // should.
  QByteArray truth(bool newLine, const QByteArray& prefix) const {
    const qsizetype line = newLine ? line_ + 1 : line_;
    if (line >= lines_.size() || !lines_[line].startsWith(prefix)) return {};
    return lines_[line].mid(prefix.size()) + '\n' + lines_.mid(line + 1).join('\n');
  }

  static bool isRight(const QByteArray& ghost, const QByteArray& truth) {
    if (!truth.startsWith(ghost)) return false;
    return ghost.size() == truth.size() || !isWordByte(ghost.back()) ||
           !isWordByte(truth[ghost.size()]);
  }

  void note(const QByteArray& prefix, const QByteArray& ghost, bool right, bool changed) {
    if (!details_->isOpen()) return;
    QByteArray text = ghost;
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t");
    details_->write(
        QByteArray::number(right) + '\t' + kPlaceNames[static_cast<size_t>(caretPlace(prefix))] +
        '\t' + QByteArray::number(lettersOf(ghost)) + '\t' + QByteArray::number(contradictions_) +
        '\t' + QByteArray::number(changed) + '\t' + name_.toUtf8() + ':' +
        QByteArray::number(editor_.caretLine() + 1) + '\t' + prefix.trimmed() + '\t' + text + '\n');
  }

  void settle() {
    QElapsedTimer clock;
    clock.start();
    // The editor asks when the burst of keys is over: a moment later.
    bool asked = false;
    QTimer::singleShot(1, Qt::PreciseTimer, &editor_, [&asked] { asked = true; });
    while (!asked || !provider_->isIdle()) {
      QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
      if (clock.elapsed() > kPatienceMs) qFatal("waferd does not answer");
    }
  }

  Relay* provider_;
  CodeEditor editor_;
  SuggestingEditor suggesting_;
  QFile* details_;
  QString name_;
  QList<QByteArray> lines_;
  qsizetype line_ = 0;
  QByteArray shown_;        // after the key before
  int contradictions_ = 0;  // of ghosts in this line
  qsizetype letters_ = 0;
  std::array<Tally, kPlaces.size()> tallies_;
};

void row(const char* name, const Tally& t) {
  const auto share = [](double part, double whole) { return whole > 0 ? 100 * part / whole : 0; };
  std::printf("| %-14s | %5d | %5.1f | %6d | %5d | %5.1f | %8.1f | %7.2f | %7d |\n", name, t.keys,
              share(t.withGhost, t.keys), t.ghosts, t.right, share(t.right, t.ghosts),
              t.right > 0 ? static_cast<double>(t.rightLetters) / t.right : 0,
              share(t.ghosts - t.right, t.keys), t.changed);
}

void report(const Typist& typist) {
  std::printf(
      "| %-14s | %5s | %5s | %6s | %5s | %5s | %8s | %7s | %7s |\n"
      "|----------------|-------|-------|--------|-------|-------|----------|---------|---------|"
      "\n",
      "place", "keys", "with %", "ghosts", "right", "%", "letters", "wrong %", "changed");
  Tally all;
  for (const CaretPlace place : kPlaces) {
    row(kPlaceNames[static_cast<size_t>(place)], typist.tally(place));
    all += typist.tally(place);
  }
  row("all", all);
  std::printf("%lld of %lld letters (%.1f %%) are in right ghosts\n",
              static_cast<long long>(all.rightLetters), static_cast<long long>(typist.letters()),
              100.0 * static_cast<double>(all.rightLetters) /
                  static_cast<double>(std::max<qsizetype>(1, typist.letters())));
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  const QTemporaryDir profile;
  gui::useProfile(profile.path());
  QApplication app(argc, argv);
  QCommandLineParser parser;
  parser.addHelpOption();
  parser.addOptions({{"model", "Of waferd; else its own.", "FILE"},
                     {"level", "Percent: the setting \"Suggest\".", "PERCENT",
                      QString::number(gui::Preferences().certainty)},
                     {"bar", "Percent: the same certainty at every place.", "PERCENT"},
                     {"given", "Lines that stand there at first.", "LINES", "40"},
                     {"lines", "Lines that are typed.", "LINES", "60"},
                     {"details", "One line for each ghost.", "FILE"}});
  parser.addPositionalArgument("SOURCE", "What is typed.");
  parser.process(app);
  if (parser.positionalArguments().isEmpty()) parser.showHelp(2);

  QFile details(parser.value("details"));
  if (parser.isSet("details") && !details.open(QFile::WriteOnly)) {
    std::fprintf(stderr, "%s cannot be written\n", qPrintable(details.fileName()));
    return 1;
  }
  gui::RuntimeService runtime(
      gui::rememberedCommand(gui::AppPaths::forUser(), parser.value("model")));
  runtime.start();
  QElapsedTimer clock;
  clock.start();
  while (runtime.state() != gui::RuntimeService::State::kReady && clock.elapsed() < kPatienceMs)
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  if (runtime.state() != gui::RuntimeService::State::kReady) {
    std::fprintf(stderr, "no model: %s\n", qPrintable(runtime.problem().message()));
    return 1;
  }

  Relay relay(runtime.completions(),
              parser.isSet("bar") ? parser.value("bar").toInt() / 100.0 : -1);
  Typist typist(&relay, runtime.documents(), parser.value("level").toInt() / 100.0, &details);
  for (const QString& path : parser.positionalArguments()) {
    QFile file(path);
    if (!file.open(QFile::ReadOnly)) {
      std::fprintf(stderr, "%s cannot be read\n", qPrintable(path));
      return 1;
    }
    QByteArray text = file.readAll();
    typist.type(path, text.replace("\r\n", "\n"), parser.value("given").toInt(),
                parser.value("lines").toInt());
  }
  report(typist);
  return 0;
}
