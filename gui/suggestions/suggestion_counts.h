// SPDX-License-Identifier: GPL-3.0-or-later
// Counts what became of the suggestions of all texts, by language, over runs of the program. It is
// counted and kept here and sent nowhere. Kept in a file, which a thread of its own writes some
// time after a change, and the end of the program in any case. UI thread only.
#pragma once

#include <QDateTime>
#include <QHash>
#include <QMap>
#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <functional>

#include "editor/assist/retention_watch.h"
#include "editor/assist/suggestion_figures.h"

namespace waferpair::editor {
class SuggestionController;
}

namespace waferpair::gui {

class SuggestionCounts : public QObject {
  Q_OBJECT
 public:
  // The text that a controller suggests for.
  struct Place {
    editor::DocumentId document;
    QString language;
  };

  // `sync` outlives this. A file that cannot be read counts as none.
  SuggestionCounts(const QString& file, editor::DocumentSync* sync, QObject* parent = nullptr);
  ~SuggestionCounts() override;

  // Counts for as long as the controller lives.
  void watch(editor::SuggestionController* suggestions, std::function<Place()> place);

  const QMap<QString, editor::SuggestionFigures>& byLanguage() const { return figures_; }
  editor::SuggestionFigures total() const;
  // When counting began, or began anew.
  QDateTime since() const { return since_; }
  // Begins anew.
  void reset();

 Q_SIGNALS:
  void changed();
  // The file cannot be written: what was counted holds until the program ends.
  void problem(const QString& text);

 private:
  // The suggestion that is shown in a text, or was last.
  struct Last {
    quint64 number = 0;
    bool isAccepted = false;
  };

  void load();
  QJsonObject toJson() const;
  void count(const QString& language, qint64 editor::SuggestionFigures::*what);
  void changedSoon();
  void save();

  QString file_;
  QDateTime since_;
  QMap<QString, editor::SuggestionFigures> figures_;
  quint64 lastNumber_ = 0;
  QHash<const QObject*, Last> last_;    // by controller
  QHash<quint64, QString> languageOf_;  // of suggestions that are still to be judged
  editor::RetentionWatch retention_;
  QTimer saveLater_{this};
  bool isUnsaved_ = false;
  QThreadPool writer_{this};
};

}  // namespace waferpair::gui
