// SPDX-License-Identifier: GPL-3.0-or-later
// Tells what is known of a model file before it is loaded: `waferctl inspect` reads its header, in
// a process of its own, so that no file of anybody's can harm this one.
#pragma once

#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>
#include <optional>

#include "editor/text/result.h"

namespace waferpair::gui {

struct ModelFacts {
  QString file;
  QString architecture;
  qint64 parameters = 0;
  qint64 fileBytes = 0;
  qint64 contextTokens = 0;
  qint64 memoryBytes = 0;     // that it takes, loaded
  qint64 availableBytes = 0;  // of memory, when it was looked at; 0: not known
  double hostRate = 0;        // expected tokens/s on this computer; 0: not known
  double waferRate = 0;       // and on the emulated wafer
  QString profile;            // that the wafer's is by, with its clock in GHz
  double clockGhz = 0;
  bool fillsIn = false;  // completes between what is before and behind the caret
  bool followsInstructions = false;
  QString name;           // in the file
  editor::Error problem;  // why it cannot be used; empty: it can

  bool isUsable() const { return problem.what.isEmpty(); }
  bool fits() const { return availableBytes == 0 || memoryBytes <= availableBytes; }
  // It was taught next edits in a form that is known here, by its names and these others.
  bool predictsEdits(const QStringList& names = {}) const;
  // "completes, fills in · needs 1.4 GB of 18 GB free · about 45 tokens/s here, 2,130 on the wafer
  // · 32K context · qwen2 · 1.5 B · 986 MB"
  QString text() const;
  // Says how the tokens/s were got and how far off they may be; empty where there are none.
  QString speedText() const;
};

// "812", "3.1K", "32K": a K is 1024 tokens.
QString contextText(qint64 tokens);
// "completes, fills in, follows instructions"
QString usesText(bool fillsIn, bool followsInstructions, bool predictsEdits = false);
// Says what a model that follows instructions is good for by its size: "questions", "edits of a
// function at a time"; empty: all, or its size is not known.
QString sizeText(qint64 parameters);

// A line of waferctl's; nothing where it is none.
std::optional<ModelFacts> readModelFacts(const QByteArray& line);

// UI thread only; nothing blocks.
class ModelInspection : public QObject {
  Q_OBJECT
 public:
  // `program` is waferctl.
  explicit ModelInspection(const QString& program, QObject* parent = nullptr);
  ~ModelInspection() override;

  // Looks at these and at no others any more. A file that ends waferctl is told as a problem, and
  // those behind it are looked at all the same.
  void inspect(const QStringList& files);

 Q_SIGNALS:
  void told(const waferpair::gui::ModelFacts& facts);

 private:
  void start();
  void read();
  void take(const QByteArray& line);
  void ended();
  void giveUpFirst(const QString& why);

  QString program_;
  QStringList waiting_;      // in the order in which waferctl has them
  qsizetype left_ = 0;       // of those that it was given
  bool isOutdated_ = false;  // it was given others
  QProcess process_;
  QTimer deadline_{this};  // from one file to the next
  QByteArray output_;
};

}  // namespace waferpair::gui
