// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/settings_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFontDatabase>
#include <QFormLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>
#include <QVBoxLayout>

#include "editor/widget/ligatures.h"
#include "gui/kit/dialog_size.h"
#include "gui/store/settings.h"
#include "gui/suggestions/suggestion_rules.h"

namespace waferpair::gui {
namespace {

constexpr int kHelpWidth = 380;  // pixels from which a line of help is broken

void name(QWidget* widget, const char* objectName, const QString& accessibleName) {
  widget->setObjectName(QLatin1String(objectName));
  widget->setAccessibleName(accessibleName);
}

// The box, and below its text a line that says more.
QWidget* withHelp(QCheckBox* box, const QString& help) {
  auto* both = new QWidget(box->parentWidget());
  auto* line = new QLabel(help, both);
  line->setProperty("role", QStringLiteral("muted"));
  line->setWordWrap(true);
  line->setMinimumWidth(kHelpWidth);
  const QStyle* style = box->style();
  line->setIndent(style->pixelMetric(QStyle::PM_IndicatorWidth, nullptr, box) +
                  style->pixelMetric(QStyle::PM_CheckBoxLabelSpacing, nullptr, box));
  auto* column = new QVBoxLayout(both);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(box);
  column->addWidget(line);
  return both;
}

}  // namespace

// The least probability of a suggestion. Other values, set in the file by hand, count as the
// nearest below.
QComboBox* SettingsDialog::certaintyChoice(Settings* settings) {
  auto* choice = new QComboBox(this);
  name(choice, "settingsCertainty", tr("Suggest"));
  const QString help =
      tr("How sure the model must be of what it suggests by itself: the surer, the fewer are wrong "
         "and the fewer there are. The key that asks for a suggestion shows whatever there is.");
  choice->setToolTip(help);
  choice->setAccessibleDescription(help);
  choice->addItem(tr("Everything that comes to mind"), 0);
  choice->addItem(tr("What is likely enough"), 30);
  choice->addItem(tr("What is nearly certain"), Preferences().certainty);
  choice->addItem(tr("Only what is all but certain"), 90);
  for (int i = 0; i < choice->count(); ++i)
    if (choice->itemData(i).toInt() <= settings->get().certainty) choice->setCurrentIndex(i);
  connect(choice, &QComboBox::currentIndexChanged, settings, [settings, choice](int index) {
    Preferences p = settings->get();
    p.certainty = choice->itemData(index).toInt();
    settings->set(p);
  });
  return choice;
}

QComboBox* SettingsDialog::levelChoice(Settings* settings) {
  auto* choice = new QComboBox(this);
  name(choice, "settingsLevel", tr("Suggestions come"));
  const QString help =
      tr("Quiet: nothing comes by itself, the key asks. Normal: what is as sure as is said below "
         "comes by itself. Eager: what is half as sure comes, too.");
  choice->setToolTip(help);
  choice->setAccessibleDescription(help);
  for (const auto level :
       {SuggestionLevel::kQuiet, SuggestionLevel::kNormal, SuggestionLevel::kEager})
    choice->addItem(SuggestionRules::explained(level));
  choice->setCurrentIndex(static_cast<int>(settings->get().suggestionLevel));
  connect(choice, &QComboBox::currentIndexChanged, settings, [settings](int index) {
    Preferences p = settings->get();
    p.suggestionLevel = static_cast<SuggestionLevel>(index);
    settings->set(p);
  });
  return choice;
}

QComboBox* SettingsDialog::autoSaveChoice(Settings* settings) {
  auto* choice = new QComboBox(this);
  name(choice, "settingsAutoSave", tr("Save by itself"));
  const QString help =
      tr("A text that has no file yet, and one whose file another program changed, waits for you.");
  choice->setToolTip(help);
  choice->setAccessibleDescription(help);
  // In the order of AutoSave.
  choice->addItems(
      {tr("Never"), tr("When the keyboard goes elsewhere"), tr("A moment after the last change")});
  choice->setCurrentIndex(static_cast<int>(settings->get().autoSave));
  connect(choice, &QComboBox::currentIndexChanged, settings, [settings](int index) {
    Preferences p = settings->get();
    p.autoSave = static_cast<AutoSave>(index);
    settings->set(p);
  });
  return choice;
}

SettingsDialog::SettingsDialog(Settings* settings, QWidget* parent) : QDialog(parent) {
  setObjectName(QStringLiteral("settingsDialog"));
  setWindowTitle(tr("Settings"));
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(20);
  form->setVerticalSpacing(12);
  form->setLabelAlignment(Qt::AlignLeft);

  auto* theme = new QComboBox(this);
  name(theme, "settingsTheme", tr("Theme"));
  theme->addItems({tr("Dark"), tr("Light")});
  theme->setCurrentIndex(settings->get().theme == ThemeKind::kDark ? 0 : 1);
  connect(theme, &QComboBox::currentIndexChanged, settings, [settings](int index) {
    Preferences p = settings->get();
    p.theme = index == 0 ? ThemeKind::kDark : ThemeKind::kLight;
    settings->set(p);
  });
  form->addRow(tr("Theme"), theme);

  auto* family = new QComboBox(this);
  name(family, "settingsFont", tr("Editor font"));
  const QString current = settings->editorFont().family();
  const QStringList families = QFontDatabase::families();
  for (const QString& one : families) {
    if (QFontDatabase::isFixedPitch(one) && !editor::isWithoutLigatures(one)) family->addItem(one);
  }
  if (family->findText(current) < 0) family->insertItem(0, current);
  family->setCurrentText(current);
  connect(family, &QComboBox::currentTextChanged, settings, [settings](const QString& text) {
    Preferences p = settings->get();
    p.fontFamily = text;
    settings->set(p);
  });
  form->addRow(tr("Editor font"), family);

  auto* size = new QDoubleSpinBox(this);
  name(size, "settingsFontSize", tr("Editor font size"));
  size->setRange(6, 40);
  size->setDecimals(1);
  size->setSingleStep(0.5);
  size->setSuffix(tr(" pt"));
  size->setValue(settings->get().fontSize);
  connect(size, &QDoubleSpinBox::valueChanged, settings, [settings](double value) {
    Preferences p = settings->get();
    p.fontSize = value;
    settings->set(p);
  });
  form->addRow(tr("Editor font size"), size);

  const auto check = [&](const char* objectName, const QString& text, const QString& help,
                         bool Preferences::*field) {
    auto* box = new QCheckBox(text, this);
    name(box, objectName, text);
    box->setToolTip(help);
    box->setAccessibleDescription(help);
    box->setChecked(settings->get().*field);
    connect(box, &QCheckBox::toggled, settings, [settings, field](bool on) {
      Preferences p = settings->get();
      p.*field = on;
      settings->set(p);
    });
    return box;
  };
  const auto addCheck = [&](const char* objectName, const QString& text, const QString& help,
                            bool Preferences::*field) {
    form->addRow(QString(), check(objectName, text, help, field));
  };
  addCheck("settingsSuggestions", tr("Suggest while typing"),
           tr("Ask the model for a continuation after each change. It runs on this computer."),
           &Preferences::suggestions);
  form->addRow(tr("Suggestions come"), levelChoice(settings));
  form->addRow(tr("Suggest"), certaintyChoice(settings));
  addCheck(
      "settingsWords", tr("List words while typing"),
      tr("Opens the list of words of the open files as a word is typed; Ctrl+Space always does."),
      &Preferences::wordsWhileTyping);
  addCheck("settingsMembers", tr("List members behind a dot"),
           tr("Opens the list where a language server knows what can follow “value.”, “pointer->” "
              "or “name::”."),
           &Preferences::membersWhileTyping);
  const QString staysHere = tr(
      "Suggestions copy from them. They stay on this computer. Secrets and what a .waferpairignore "
      "lists are left out.");
  form->addRow(QString(),
               withHelp(check("settingsProjectFiles", tr("Learn from the project's other files"),
                              staysHere, &Preferences::projectFiles),
                        staysHere));
  addCheck("settingsRenew", tr("Preview changes while an instruction is typed"),
           tr("Of a model on this computer that answers within about a second, as measured."),
           &Preferences::renewEdits);
  addCheck("settingsPairs", tr("Close brackets and quotes"),
           tr("What is typed behind them stands between the two; typing the closing one steps over "
              "it."),
           &Preferences::closePairs);
  addCheck("settingsLigatures", tr("Draw ligatures"),
           tr("Where the font has them, “->” and “!=” are drawn as one sign."),
           &Preferences::ligatures);
  addCheck("settingsWordWrap", tr("Wrap long lines"), {}, &Preferences::wordWrap);
  addCheck("settingsWhitespace", tr("Show spaces and tabs"), {}, &Preferences::whitespace);
  addCheck("settingsGuides", tr("Show indent guides"), tr("A line at each level of indentation."),
           &Preferences::indentGuides);
  form->addRow(tr("Save by itself"), autoSaveChoice(settings));
  addCheck(
      "settingsPreview", tr("Look at files in one preview tab"),
      tr("A click in the tree opens a file there until another is clicked; it stays once it is "
         "edited, or its tab double-clicked."),
      &Preferences::previewTabs);
  addCheck("settingsTrim", tr("Take blanks at line ends away when saving"), {},
           &Preferences::trimOnSave);
  addCheck("settingsFinalLineEnd", tr("End the last line when saving"),
           tr("Where a text does not end with a line end it gets one."),
           &Preferences::finalLineEndOnSave);
  addCheck("settingsHidden", tr("Show hidden files in the tree"),
           tr("Names that begin with a dot."), &Preferences::hiddenFiles);
  addCheck("settingsIgnored", tr("Show ignored files in the tree"),
           tr("What the project's .gitignore lists."), &Preferences::ignoredFiles);

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  // On a small screen the choices scroll; the button stays.
  auto* page = new QWidget(this);
  auto* rows = new QVBoxLayout(page);
  rows->setContentsMargins(20, 20, 20, 4);
  rows->addLayout(form);
  rows->addStretch();
  auto* scroll = new QScrollArea(this);
  scroll->setObjectName(QStringLiteral("settingsScroll"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(page);
  scroll->viewport()->setAutoFillBackground(false);
  page->setAutoFillBackground(false);
  const int width =
      page->minimumSizeHint().width() + scroll->verticalScrollBar()->sizeHint().width();
  scroll->setMinimumWidth(width);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 16);
  layout->setSpacing(12);
  layout->addWidget(scroll, 1);
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(20, 0, 20, 0);
  foot->addWidget(buttons);
  layout->addLayout(foot);
  const QSize whole(std::max(width, 500),
                    page->sizeHint().height() + buttons->sizeHint().height() + 28);
  resizeWithin(this, whole);
}

}  // namespace waferpair::gui
