// SPDX-License-Identifier: GPL-3.0-or-later
// The texts in the code are English, but for those with a number, which are written "%n file(s)".
// Their forms ("1 file", "2 files") are in waferpair_en.ts; every program that has such texts loads
// them when its application begins.
#include <QCoreApplication>
#include <QTranslator>

namespace {

void loadPluralForms() {
  auto* translator = new QTranslator(qApp);
  [[maybe_unused]] const bool loaded =
      translator->load(QStringLiteral(":/translations/waferpair_en.qm"));
  Q_ASSERT(loaded);
  QCoreApplication::installTranslator(translator);
}

}  // namespace

Q_COREAPP_STARTUP_FUNCTION(loadPluralForms)
