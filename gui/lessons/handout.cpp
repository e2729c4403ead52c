// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/lessons/handout.h"

#include <QBuffer>
#include <QPageSize>
#include <QPdfWriter>
#include <QTextDocument>

#include "editor/widget/prose.h"
#include "gui/lessons/lesson_run.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

constexpr double kHandoutPoints = 10;
constexpr int kHandoutDots = 300;  // an inch

QString escaped(const QString& text) { return text.toHtmlEscaped(); }

// The body of a document's HTML, to stand within another.
QString markdownHtml(const QString& markdown) {
  QTextDocument document;
  editor::fillProse(&document, markdown);
  const QString html = document.toHtml();
  const qsizetype begin = html.indexOf(u'>', html.indexOf(QLatin1String("<body"))) + 1;
  return html.mid(begin, html.indexOf(QLatin1String("</body>")) - begin);
}

QString experimentHtml(const LessonRun& run, const LessonExperiment& experiment) {
  QString html = QStringLiteral("<p><i>%1</i> <code>%2</code></p>")
                     .arg(escaped(tr("Experiment:")), escaped(experiment.question));
  for (const LessonChoice& choice : experiment.choices)
    html += QStringLiteral("<p>%1: <b>%2</b></p>")
                .arg(escaped(choice.key), escaped(choice.values.join(QStringLiteral(", "))));
  const auto& answer = run.experiment(experiment.id).first;
  if (!answer) return html + QStringLiteral("<p>%1</p>").arg(escaped(tr("It was not run.")));
  html += QStringLiteral("<table border='1' cellspacing='0' cellpadding='4'>");
  for (const QString& name : experiment.shown) {
    const ExperimentFigure* figure = answer->find(name);
    if (!figure) continue;
    html += QStringLiteral("<tr><td>%1</td><td align='right'>%2 %3</td></tr>")
                .arg(escaped(figure->label), figureText(figure->value), escaped(figure->unit));
  }
  html += QStringLiteral("</table><p><small>%1 (%2). %3</small></p>")
              .arg(escaped(answer->title), escaped(answer->nature), escaped(answer->band));
  return html;
}

QString questionHtml(const LessonQuestion& question, int number) {
  QString html = QStringLiteral("<p><b>%1. %2</b></p>").arg(number).arg(escaped(question.text));
  for (const LessonOption& option : question.options)
    html += QStringLiteral("<p>&#9633; %1</p>").arg(escaped(option.label));
  if (question.options.isEmpty())
    html += QStringLiteral("<p>______________ %1</p>").arg(escaped(question.unit));
  return html;
}

QString handoutBody(const LessonRun& run) {
  const Lesson& lesson = run.lesson();
  QString html = QStringLiteral("<h1>%1</h1><p><i>%2</i></p>")
                     .arg(escaped(lesson.title), escaped(lesson.summary));
  QString answers;
  int number = 0;
  for (const LessonStep& step : lesson.steps) {
    html += QStringLiteral("<h2>%1</h2>").arg(escaped(step.title));
    for (const LessonBlock& block : step.blocks) {
      if (const auto* text = std::get_if<LessonText>(&block)) {
        html += markdownHtml(run.filled(text->markdown));
      } else if (const auto* experiment = std::get_if<LessonExperiment>(&block)) {
        html += experimentHtml(run, *experiment);
      } else if (const auto* question = std::get_if<LessonQuestion>(&block)) {
        html += questionHtml(*question, ++number);
        QString truth = run.truth(*question);
        if (truth.isEmpty()) truth = tr("not known: its experiment was not run");
        answers += QStringLiteral("<p>%1. %2</p>").arg(number).arg(escaped(truth));
      }
    }
  }
  return html + QStringLiteral("<h2 style='page-break-before:always'>%1</h2>%2")
                    .arg(escaped(tr("Answers")), answers);
}

}  // namespace

QByteArray handoutHtml(const LessonRun& run) {
  return QStringLiteral(
             "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>%1</title></head>"
             "<body style=\"color:black;background:white;max-width:46em;margin:2em auto;"
             "font-family:sans-serif\">%2</body></html>\n")
      .arg(escaped(run.lesson().title), handoutBody(run))
      .toUtf8();
}

QByteArray handoutPdf(const LessonRun& run) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QBuffer::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setResolution(kHandoutDots);
    writer.setTitle(run.lesson().title);
    QTextDocument document;
    QFont letters;
    letters.setPointSizeF(kHandoutPoints);
    document.setDefaultFont(letters);
    document.setDefaultStyleSheet(QStringLiteral("body { color: black; background: white; }"));
    document.setHtml(QStringLiteral("<body>%1</body>").arg(handoutBody(run)));
    document.print(&writer);
  }
  return bytes;
}

}  // namespace waferpair::gui
