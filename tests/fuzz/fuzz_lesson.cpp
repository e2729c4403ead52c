// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as a lesson: it is read, or refused with a line that it has, and what is read holds what
// a run relies on. Formulas among them have a value or none.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "gui/lessons/lesson.h"
#include "gui/lessons/lesson_run.h"

using namespace waferpair::gui;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const QByteArray bytes(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
  const auto lesson = readLesson(bytes, QStringLiteral("fuzzed"));
  if (!lesson) {
    if (lesson.error().line < 1 || lesson.error().line > bytes.count('\n') + 1) std::abort();
    if (lesson.error().text.isEmpty()) std::abort();
    return 0;
  }
  if (lesson->steps.isEmpty() || lesson->questions().isEmpty()) std::abort();
  for (const LessonStep& step : lesson->steps) {
    for (const LessonBlock& block : step.blocks) {
      const auto* question = std::get_if<LessonQuestion>(&block);
      if (!question) continue;
      for (const QString& id : question->experiments())
        if (!lesson->experiment(id)) std::abort();
      if (!question->answer) continue;
      const auto value = question->answer->value([](const QString&, const QString& figure) {
        return std::optional<double>(figure.size() - 4.0);
      });
      if (value && !std::isfinite(*value)) std::abort();
    }
  }
  // Nothing is answered: questions stay unjudged, texts keep their places for figures.
  LessonRun run(*lesson, [](const QString&, QObject*, HearExperiment) {});
  for (const LessonStep& step : lesson->steps)
    for (const LessonBlock& block : step.blocks)
      if (const auto* text = std::get_if<LessonText>(&block)) run.filled(text->markdown);
  if (run.isDone()) std::abort();
  return 0;
}
