// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/fix_error.h"

#include <QApplication>
#include <QClipboard>
#include <algorithm>

#include "gui/kit/picker.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

constexpr qsizetype kMostErrors = 50;
constexpr qsizetype kMostOfErrorRow = 200;  // UTF-16 units of a message

struct PrintedError {
  QString path;  // relative to the folder
  QString source;
  pairing::ErrorPlace error;
};

// The same may be printed by several commands, and under several names of the file.
bool areSame(const PrintedError& a, const PrintedError& b) {
  return a.path == b.path && a.error.line == b.error.line && a.error.column == b.error.column &&
         a.error.message == b.error.message;
}

// Adds those of a project's files that are not there yet.
void addErrors(const QString& output, const QString& source, const ErrorSources& sources,
               QVector<PrintedError>& found) {
  const QStringList files = sources.files();
  for (const pairing::ErrorPlace& error :
       pairing::errorPlaces(output, pairing::amongFiles(sources.folder(), files))) {
    if (error.line == 0) continue;
    const QString path = pairing::fileMeant(error.path, sources.folder(), files);
    if (path.isEmpty()) continue;
    const PrintedError one{path, source, error};
    const auto isSame = [&one](const PrintedError& other) { return areSame(one, other); };
    if (std::none_of(found.cbegin(), found.cend(), isSame)) found.append(one);
  }
}

void offerErrors(const ErrorSources& sources, QVector<PrintedError> found, const QString& none) {
  if (found.size() > kMostErrors) found.resize(kMostErrors);
  if (found.size() == 1) return sources.fix(found.constFirst().path, found.constFirst().error);
  QList<PickerItem> items;
  for (qsizetype i = 0; i < found.size(); ++i) {
    const QString place = QStringLiteral("%1:%2").arg(found[i].path).arg(found[i].error.line);
    items.append({found[i].error.message.left(kMostOfErrorRow) + QStringLiteral("  ") + place,
                  0,
                  found[i].source,
                  {},
                  QVariant::fromValue(i)});
  }
  sources.picker->open(tr("Errors"), tr("The error to fix"), items,
                       [sources, found](const QVariant& index) {
                         const PrintedError& chosen = found[index.toLongLong()];
                         sources.fix(chosen.path, chosen.error);
                       });
  if (items.isEmpty()) sources.picker->setNote(none);
}

}  // namespace

void chooseErrorToFix(const ErrorSources& sources) {
  QVector<PrintedError> found;
  for (const PrintedOutput& output : sources.outputs())
    addErrors(output.text, output.source, sources, found);
  addErrors(QApplication::clipboard()->text(), tr("copied"), sources, found);
  offerErrors(
      sources, found,
      tr("No error in this project's files was printed by a command that failed, in a "
         "terminal or of the plan, and none is copied. Copy what a compiler or a test says, "
         "and try again."));
}

void chooseErrorOf(const ErrorSources& sources, const PrintedOutput& output) {
  QVector<PrintedError> found;
  addErrors(output.text, output.source, sources, found);
  offerErrors(sources, found,
              tr("This output names no error in the project's files. Select one that does."));
}

}  // namespace waferpair::gui
