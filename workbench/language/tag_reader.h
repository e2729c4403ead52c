// SPDX-License-Identifier: GPL-3.0-or-later
// What texts declare, as Universal Ctags reads it where it is installed (ctags.io, its man page
// ctags-client-tools): for texts that no language server knows. One process reads one text after
// the other from its input, in its sandbox: it opens no file and reads no options of a project.
// UI thread only.
#pragma once

#include <QStringList>
#include <QThreadPool>
#include <QTimer>
#include <functional>
#include <memory>

#include "editor/text/busy.h"
#include "programs/child_process.h"
#include "workbench/language/symbols.h"

namespace waferpair::workbench {

class TagReader : public QObject, public editor::Busy {
  Q_OBJECT
 public:
  using Read = std::function<void(const QVector<OutlineSymbol>&)>;

  // Texts of more bytes are not read.
  static constexpr qint64 kMostOfText = 4 << 20;

  // The first of these programs that is in PATH: others than Universal Ctags are called ctags, too.
  static QStringList usualPrograms() {
    return {QStringLiteral("ctags-universal"), QStringLiteral("ctags")};
  }
  explicit TagReader(const QStringList& programs = usualPrograms(), QObject* parent = nullptr);
  ~TagReader() override;

  // False: there is no such program, or it has failed again and again.
  bool isThere() const;
  // Reads a text, whose language goes by the name of its file. `read` is called later, unless this
  // is gone by then: with nothing where the program cannot read it.
  void read(const QString& fileName, const editor::Snapshot& text, const Read& read);

  QString busyWith() const override;

 private:
  struct Question {
    QString fileName;
    editor::Snapshot text;
    Read read;
  };

  void askNext();
  void start();
  void received(const QByteArray& bytes);
  void failed();
  void answer(const QVector<OutlineSymbol>& symbols);

  QString program_;
  std::unique_ptr<programs::ChildProcess> process_;
  enum class State { kIdle, kAsked, kReading };
  QVector<Question> questions_;  // the first of them is under way, unless it is idle
  State state_ = State::kIdle;
  QByteArray answer_;
  int failures_ = 0;  // one after the other
  QTimer patience_{this};
  QThreadPool pool_{this};
};

// The names in what the program says of a text: a JSON object a line.
QVector<OutlineSymbol> readTags(const QByteArray& lines, const editor::Snapshot& text);

}  // namespace waferpair::workbench
