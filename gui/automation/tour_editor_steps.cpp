// SPDX-License-Identifier: GPL-3.0-or-later
// The tour's way through files and suggestions.
#include <QAbstractItemView>
#include <QElapsedTimer>
#include <QTreeView>
#include <memory>

#include "editor/assist/suggestion_controller.h"
#include "editor/ghost/ghost_text.h"
#include "editor/widget/code_editor.h"
#include "gui/automation/input.h"
#include "gui/automation/tour_context.h"
#include "gui/automation/tour_step.h"
#include "gui/client/runtime_service.h"

namespace waferpair::gui {
namespace {

using editor::CodeEditor;
using editor::SuggestionController;

// Most likely file to be there, and what a person might type at its end.
const char kFile[] = "text_stats.cpp";
const char kTyped[] =
    "\n// The number of words that are longer than the limit.\n"
    "int countLongWords(const std::vector<std::string>& words, int limit) {\n"
    "int count = 0;\n"
    "for (const std::s";
constexpr int kModelMs = 60'000;
constexpr int kSuggestionMs = 15'000;
// A ghost that has not grown for this long is taken to be whole.
constexpr qint64 kSteadyMs = 400;

// Depth first, opening folders on the way as their content arrives. Invalid while it is not found.
QModelIndex findFile(QTreeView* tree, const QString& name, const QModelIndex& below) {
  QAbstractItemModel* model = tree->model();
  if (model->canFetchMore(below)) model->fetchMore(below);
  for (int row = 0; row < model->rowCount(below); ++row) {
    const QModelIndex index = model->index(row, 0, below);
    if (index.data().toString() == name) return index;
    if (!model->hasChildren(index)) continue;
    if (!tree->isExpanded(index)) tree->expand(index);
    if (const QModelIndex found = findFile(tree, name, index); found.isValid()) return found;
  }
  return {};
}

bool hasSteadyGhost(TourContext& context, QByteArray& last, QElapsedTimer& since) {
  CodeEditor* editor = context.editor();
  if (!editor || !editor->ghost()->isShown()) return false;
  const QByteArray now = editor->ghost()->remaining();
  if (now != last || !since.isValid()) {
    last = now;
    since.start();
  }
  return !now.isEmpty() && since.elapsed() >= kSteadyMs;
}

TourStep openFile(TourContext& c) {
  auto clicked = std::make_shared<bool>(false);
  return {"open a file", {}, [&c, clicked] {
            auto* tree = qobject_cast<QTreeView*>(c.fileTree());
            if (!tree || !tree->model()) return false;
            if (!*clicked) {
              const QModelIndex index = findFile(tree, QLatin1String(kFile), tree->rootIndex());
              if (!index.isValid()) return false;
              tree->scrollTo(index);
              const QRect row = tree->visualRect(index);
              if (row.isEmpty()) return false;  // its folder is still opening
              input::doubleClick(tree->viewport(), row.center());
              *clicked = true;
              return false;
            }
            CodeEditor* editor = c.editor();
            if (!editor || editor->length() == 0) return false;
            c.original = editor->text();
            return true;
          }};
}

// Types a character each time it is asked, as fast as a quick typist; each is timed to its
// painting.
TourStep typeCode(TourContext& c) {
  auto typed = std::make_shared<qsizetype>(0);
  return {"type code",
          [&c] {
            input::click(c.editor()->viewport(), c.editor()->viewport()->rect().center());
            input::pressKey(c.editor(), Qt::Key_End, Qt::ControlModifier);
          },
          [&c, typed] {
            const QByteArray text(kTyped);
            if (*typed < text.size()) {
              const std::optional<double> painted =
                  input::typeAndPaint(c.editor()->viewport(), text[*typed]);
              if (!painted) return false;
              c.figures.keyToPaintedMs.append(*painted);
              ++*typed;
              return false;
            }
            return c.editor()->text().contains("int countLongWords(const std::vector<");
          },
          30'000};
}

TourStep waitForSuggestion(TourContext& c) {
  auto last = std::make_shared<QByteArray>();
  auto since = std::make_shared<QElapsedTimer>();
  return {"a suggestion appears",
          {},
          [&c, last, since] {
            if (!hasSteadyGhost(c, *last, *since)) return false;
            c.before = c.editor()->text();
            c.ghost = c.editor()->ghost()->remaining();
            c.caret = c.editor()->caret();
            return true;
          },
          kSuggestionMs};
}

TourStep askAgain(TourContext& c) {
  auto asked = std::make_shared<bool>(false);
  auto last = std::make_shared<QByteArray>();
  auto since = std::make_shared<QElapsedTimer>();
  return {"ask for a suggestion by key",
          [&c, asked] {
            if (c.editor()->ghost()->isShown()) input::pressKey(c.editor(), Qt::Key_Escape);
            QObject::connect(c.suggestions(), &SuggestionController::requested, &c,
                             [asked] { *asked = true; });
            input::pressKey(c.editor(), c.editor()->keys().key("suggest"));
          },
          [&c, asked, last, since] { return *asked && hasSteadyGhost(c, *last, *since); },
          kSuggestionMs};
}

}  // namespace

TourSteps editorSteps(TourContext& c) {
  TourSteps steps;
  steps.push_back({"window up", {}, [&c] { return c.hasPainted(); }});
  steps.push_back({"the sample project is open", {}, [&c] {
                     QAbstractItemView* tree = c.fileTree();
                     return tree && tree->model() && tree->model()->rowCount(tree->rootIndex()) > 0;
                   }});
  steps.push_back(openFile(c));
  steps.push_back({"the model is ready",
                   {},
                   [&c] { return c.runtime()->state() == RuntimeService::State::kReady; },
                   kModelMs});
  steps.push_back(
      {"suggestions are on",
       [&c] {
         QObject::connect(c.suggestions(), &SuggestionController::firstGhostShown, &c,
                          [&c](double ms) {
                            if (!c.figures.firstGhostMs) c.figures.firstGhostMs = ms;
                          });
       },
       [&c] { return c.suggestions()->state() != SuggestionController::State::kSilent; }, 30'000,
       false});
  steps.push_back(typeCode(c));
  steps.push_back(waitForSuggestion(c));
  steps.push_back(
      {"accept it",
       [&c] { input::pressKey(c.editor(), c.editor()->keys().key("accept-suggestion")); },
       [&c] {
         QByteArray expected = c.before;
         return c.editor()->text() == expected.insert(c.caret, c.ghost);
       }});
  steps.push_back({"undo it", [&c] { input::pressKey(c.editor(), Qt::Key_Z, Qt::ControlModifier); },
                   [&c] { return c.editor()->text() == c.before; }});
  steps.push_back(askAgain(c));
  return steps;
}

}  // namespace waferpair::gui
