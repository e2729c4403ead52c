// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/style_sheet.h"

#include <QColor>
#include <cmath>

#include "gui/kit/theme.h"

namespace waferpair::gui {
namespace {

// In sizes of the window's letters.
constexpr double kLarge = 1.3;
constexpr double kSmall = 0.9;
constexpr double kRow = 2.4;  // pixels to a point

// @name is replaced by the theme's color of that name, @large, @small and @row by what follows from
// the size of the window's letters. Widgets of our own are picked by object
// name or by the dynamic property "role".
const char kTemplate[] = R"(
QMainWindow, QDialog, QMessageBox { background: @chrome; }
QMainWindow::separator { background: @border; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @accent; }
QToolTip { background: @raised; color: @text; border: 1px solid @border; padding: 4px 6px; }

QMenuBar { background: @chrome; color: @text; padding: 2px 6px; border-bottom: 1px solid @border; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: @hover; }
QMenu { background: @raised; color: @text; border: 1px solid @border; padding: 5px; }
QMenu::item { padding: 5px 26px 5px 10px; border-radius: 4px; }
QMenu::item:selected { background: @selection; }
QMenu::item:disabled { color: @faint; background: transparent; }
QMenu::separator { height: 1px; background: @border; margin: 5px 6px; }
QMenu::icon { padding-left: 8px; }
QMenu::indicator { width: 14px; height: 14px; padding-left: 8px; }

QToolBar { background: @chrome; border: 0; spacing: 4px; padding: 6px 5px; }
QToolBar#activityBar { border-right: 1px solid @border; }
QToolButton { background: transparent; border: 0; border-radius: 5px; padding: 5px; color: @text; }
QToolButton:hover { background: @hover; }
QToolButton:pressed { background: @border; }
QToolButton:checked { background: @hover; color: @text; }
QToolButton:focus { outline: 0; border: 1px solid @accent; padding: 4px; }
QToolButton::menu-indicator { image: none; }

QStatusBar { background: @chrome; color: @muted; border-top: 1px solid @border; }
QStatusBar::item { border: 0; }
QStatusBar QLabel { color: @muted; padding: 0 6px; }
QStatusBar QToolButton { color: @muted; padding: 2px 7px; border-radius: 4px; }
QStatusBar QToolButton:hover { color: @text; }
QStatusBar QToolButton:focus { padding: 1px 6px; }
QStatusBar QToolButton:disabled { color: @faint; }
QSizeGrip { width: 0; height: 0; }

QDockWidget { color: @muted; }
QDockWidget::title { background: @chrome; padding: 6px 10px; border-bottom: 1px solid @border; }
QWidget#dockTitle { background: @chrome; border-bottom: 1px solid @border; }
QWidget#dockTitle QLabel { color: @muted; font-weight: 600; }
QWidget#dockTitle QToolButton { padding: 3px; }
QWidget#dockTitle QToolButton:focus { padding: 2px; }

QFrame#runtimeDetails QLabel { color: @text; }
QFrame#runtimeDetails QLabel[role="muted"] { color: @muted; }
QWidget[role="strip"] { background: @chrome; border-left: 1px solid @border; }
QWidget[role="strip"]:hover { background: @hover; }

QTreeView, QListView { background: @chrome; border: 0; outline: 0; color: @text;
  selection-background-color: @selection; selection-color: @text; }
QTreeView::item { height: @row; border: 0; padding-right: 6px; }
QTreeView::item:hover { background: @hover; }
QTreeView::item:selected { background: @hover; color: @text; }
QTreeView::item:selected:active { background: @selection; }
QTableView, QTableWidget { background: @editor; border: 1px solid @border; gridline-color: @border;
  outline: 0; selection-background-color: @selection; selection-color: @text; }
QTableView::item { padding: 4px 8px; }
QHeaderView { background: @chrome; }
QHeaderView::section { background: @chrome; color: @muted; border: 0;
  border-bottom: 1px solid @border; padding: 6px 8px; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QFontComboBox, QKeySequenceEdit QLineEdit {
  background: @editor; color: @text; border: 1px solid @border; border-radius: 5px;
  padding: 5px 8px; selection-background-color: @selection; selection-color: @text; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border: 1px solid @accent; }
QLineEdit[invalid="true"] { border: 1px solid @danger; }
QComboBox { padding-right: 20px; }
QComboBox::drop-down { border: 0; width: 22px; }
QComboBox::down-arrow, QSpinBox::down-arrow, QDoubleSpinBox::down-arrow {
  image: url(:/icons/arrow-down.svg); width: 12px; height: 12px; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow {
  image: url(:/icons/arrow-up.svg); width: 12px; height: 12px; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button,
QDoubleSpinBox::down-button { background: transparent; border: 0; width: 22px; }
QComboBox QAbstractItemView { background: @raised; border: 1px solid @border; padding: 4px; }

QPushButton { background: @raised; color: @text; border: 1px solid @border; border-radius: 5px;
  padding: 6px 14px; }
QPushButton:hover { background: @hover; }
QPushButton:pressed { background: @border; }
QPushButton:focus { border: 1px solid @accent; outline: 0; }
QPushButton:default { background: @accent; color: @onAccent; border: 1px solid @accent; }
QPushButton:default:focus { border: 1px solid @text; }
QPushButton:disabled { color: @faint; background: @chrome; border: 1px solid @border; }
QPushButton[role="link"] { background: transparent; border: 1px solid transparent;
  color: @accent; padding: 5px 8px; text-align: left; }
QPushButton[role="link"]:hover { background: @hover; }
QPushButton[role="link"]:focus { border: 1px solid @accent; }
QPushButton[role="link"]:disabled { background: transparent; border: 1px solid transparent;
  color: @muted; }
QLabel[role="muted"] { color: @muted; }
QLabel[role="problem"] { color: @danger; }
QLabel[role="warning"] { color: @warning; }
QLabel[role="heading"] { font-weight: 600; }
QLabel[role="category"] { font-weight: 600; font-size: @large; padding-top: 10px; }
QLabel[role="badge"] { color: @accent; font-size: @small; }
QToolButton[role="chip"] { color: @muted; padding: 1px 6px; font-size: @small;
    border: 1px solid @border; border-radius: 4px; }
QToolButton[role="chip"]:checked { color: @text; background: @raised; }
QToolButton[role="chip"]:focus { border: 1px solid @accent; }
QToolButton[role="id"] { color: @muted; padding: 2px 5px; font-size: @small; }
QToolButton[role="id"]:hover { color: @accent; }
QWidget#settingsPage, QScrollArea#settingsScroll { background: @chrome; }
QListWidget#settingsCategories { background: @chrome; border-right: 1px solid @border; }
QListWidget#settingsCategories::item { border: 0; padding: 7px 16px; }
QListWidget#settingsCategories::item:hover { background: @hover; }
QListWidget#settingsCategories::item:selected { background: @selection; color: @text; }
QTabBar#settingsScopes { background: @chrome; }
QTabBar#settingsScopes::tab { background: @chrome; color: @muted; border: 0; padding: 6px 12px;
  border-bottom: 2px solid @chrome; }
QTabBar#settingsScopes::tab:selected { color: @text; border-bottom: 2px solid @accent; }
QTabBar#settingsScopes::tab:disabled { color: @faint; }

QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: @border; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; }

QTabBar#editorTabBar { background: @chrome; border-bottom: 1px solid @border; }
QTabBar#editorTabBar::tab { background: @chrome; color: @muted; border: 0;
  border-right: 1px solid @border; border-bottom: 1px solid @border;
  padding: 8px 6px 8px 12px; min-width: 72px; }
QTabBar#editorTabBar::tab:hover { color: @text; background: @hover; }
QTabBar#editorTabBar::tab:selected { background: @editor; color: @text;
  border-top: 2px solid @accent; border-bottom: 1px solid @editor; padding-top: 6px; }
QTabBar#editorTabBar[active="false"]::tab:selected { border-top: 2px solid @border; color: @muted; }
QSplitter#paneSplitter::handle { background: @border; }
QTabBar#editorTabBar QToolButton { background: @chrome; border-radius: 0; }
QWidget#tabStrip { background: @chrome; }

QFrame[role="banner"] { background: @raised; border: 0; border-bottom: 1px solid @border; }
QWidget#notices QFrame[role="banner"] { border: 1px solid @border; border-radius: 6px; }
QFrame[role="banner"] QPushButton { padding: 4px 10px; }
QFrame[role="overlay"] { background: @raised; border: 1px solid @border; border-radius: 8px; }
QFrame[role="overlay"] QListView { background: transparent; }
QFrame#editBar { background: @chrome; border-bottom: 1px solid @border; }
QFrame#hunkBar { background: @chrome; border-top: 1px solid @border; }
QFrame#editBar QListWidget { background: @raised; border: 1px solid @border; border-radius: 5px; }
QFrame#editBar QListWidget::item { padding: 3px 8px; }
QFrame#editBar QPushButton { padding: 3px 10px; }
QListWidget#reviewRemarks { background: transparent; border: 0; }
QListWidget#reviewRemarks::item { padding: 6px 12px; border-bottom: 1px solid @border; }
QListWidget#reviewRemarks::item:selected { background: @selection; color: @text; }
QFrame#hunkButtons { background: @raised; border: 1px solid @border; border-radius: 5px; }
QFrame#hunkButtons QToolButton { padding: 1px 3px; }
QListWidget#recentList { background: transparent; }
QListWidget#recentList::item { padding: 5px 8px; }
QFrame#breadcrumbs { background: @editor; }
QFrame#secondView { background: @editor; }
QFrame#breadcrumbs QToolButton { padding: 1px 4px; color: @muted; }
QFrame#breadcrumbs QToolButton:hover { color: @text; }
QFrame#breadcrumbs QToolButton:focus { padding: 0 3px; }
QFrame#mergeBar { background: @chrome; border-bottom: 1px solid @border; }
QFrame#conflictButtons { background: @raised; border: 1px solid @border; border-radius: 4px; }
QFrame#conflictButtons QToolButton { padding: 0 5px; border: 0; }
QFrame#comparisonHeader { background: @chrome; border-bottom: 1px solid @border; }
QFrame#comparisonHeader QToolButton:checked { background: @selection; }
QFrame#findBar { background: @chrome; border-bottom: 1px solid @border; }
QFrame#findBar QToolButton { padding: 5px 6px; }
QFrame#findBar QToolButton:focus { padding: 4px 5px; }
QFrame#findBar QToolButton:checked { background: @selection; }
QWidget#startPage { background: @editor; }

QWidget#askPanel, QWidget#askMessages, QScrollArea#askTranscript, QWidget#planPanel,
QWidget#planMessages, QScrollArea#planAnswers { background: @chrome; }
QTabBar#terminalTabs { background: @chrome; border-bottom: 1px solid @border; }
QTabBar#terminalTabs::tab { background: @chrome; color: @muted; border: 0; padding: 5px 12px; }
QTabBar#terminalTabs::tab:hover { color: @text; background: @hover; }
QTabBar#terminalTabs::tab:selected { color: @text; border-bottom: 2px solid @accent; }
QTabBar#terminalTabs QToolButton { background: @chrome; border-radius: 0; }
QFrame#debugBar { background: @raised; border-bottom: 1px solid @border; }
QFrame#debugBar QToolButton { padding: 3px; }
QFrame#debugBar QToolButton:focus { padding: 2px; }
QPlainTextEdit#debugOutput, QPlainTextEdit#debugDisassembly { background: @editor; color: @text;
  selection-background-color: @selection; selection-color: @text; }
QSplitter#debugColumns::handle { background: @border; }
QTabBar#pairTabs, QTabBar#debugTabs, QTabBar#panelTabs { background: @chrome; }
QTabBar#pairTabs::tab, QTabBar#debugTabs::tab, QTabBar#panelTabs::tab { background: @chrome; color: @muted; border: 0; padding: 5px 12px;
  border-bottom: 2px solid @chrome; }
QTabBar#pairTabs::tab:hover, QTabBar#debugTabs::tab:hover, QTabBar#panelTabs::tab:hover { color: @text; }
QTabBar#pairTabs::tab:selected, QTabBar#debugTabs::tab:selected, QTabBar#panelTabs::tab:selected { color: @text; border-bottom: 2px solid @accent; }
QPlainTextEdit#commandField, QPlainTextEdit#commandOutput { background: @editor; color: @text;
  border: 1px solid @border; border-radius: 5px; selection-background-color: @selection;
  selection-color: @text; }
QPlainTextEdit#commandField:focus, QPlainTextEdit#commandOutput:focus { border: 1px solid @accent; }
QWidget#planRevision { background: @raised; border-top: 1px solid @border;
  border-bottom: 1px solid @border; }
QWidget#planRevision QLabel { border: 0; }
QListView#planSteps, QTreeView#reviewTree { border-top: 1px solid @border; }
QToolButton:checked[role="page"] { background: @selection; }
QLineEdit#planReword { padding: 2px 4px; }
QWidget[role="question"] { background: @raised; border-top: 1px solid @border;
  border-bottom: 1px solid @border; }
QWidget[role="question"] QLabel, QWidget[role="answerView"] QLabel { border: 0; color: @text; }
QWidget[role="question"] QLabel[role="muted"], QWidget[role="answerView"] QLabel[role="muted"] {
  color: @muted; }
QPlainTextEdit#askInput, QPlainTextEdit#planInput, QPlainTextEdit#racePromptText { background: @editor; color: @text; border: 1px solid @border;
  border-radius: 5px; padding: 2px 4px; selection-background-color: @selection;
  selection-color: @text; }
QPlainTextEdit#askInput:focus, QPlainTextEdit#planInput:focus, QPlainTextEdit#racePromptText:focus { border: 1px solid @accent; }
QAbstractItemView#askOffers, QAbstractItemView#completionList, QTextEdit#completionAbout, QTextEdit#hoverBox, QLabel#signatureBox { background: @raised; color: @text; border: 1px solid @border; }
QFrame#askSummary { background: @chrome; border: 1px dashed @border; border-radius: 5px; margin: 4px 12px; }
QFrame#askSummary QLabel { border: 0; }
QFrame#agentQuestion { background: @raised; border-top: 1px solid @accent;
  border-bottom: 1px solid @border; }
QFrame#agentQuestion QScrollArea, QWidget#agentQuestionContent { background: @raised; }
QFrame#agentQuestion QPushButton { text-align: left; background: @chrome; }
QFrame#agentQuestion QPushButton:hover { background: @hover; }
QWidget#agentWork QToolButton { padding: 1px 4px; color: @muted; text-align: left; }
QWidget#agentWork QToolButton:hover { color: @text; }
QWidget#agentWork QToolButton:focus { padding: 0 3px; }
QWidget#agentWork QToolButton#agentStepPlace { color: @accent; }
QWidget#agentChanges QToolButton[role="place"] { padding: 2px 4px; color: @accent; }
QWidget#agentChanges QToolButton[role="place"]:focus { padding: 1px 3px; }
QFrame[role="card"] { background: @raised; border: 1px solid @border; border-radius: 6px; }
QFrame[role="codeBlock"] { background: @editor; border: 1px solid @border; border-radius: 5px; }
QFrame[role="codeBlock"] QTextEdit { background: @editor; color: @text; border: 0;
  selection-background-color: @selection; selection-color: @text; }
QFrame[role="codeBlock"] QToolButton { padding: 2px 6px; color: @muted; }
QFrame[role="codeBlock"] QToolButton:hover { color: @text; }
QFrame[role="codeBlock"] QToolButton:focus { padding: 1px 5px; }
QFrame[role="codeBlock"] QToolButton[role="place"] { color: @accent; }
QPushButton[role="small"] { padding: 3px 9px; }
QWidget#reviewList QPushButton[role="small"] { padding: 3px 5px; }

QCheckBox, QRadioButton { color: @text; spacing: 8px; }
QCheckBox:focus, QRadioButton:focus { color: @accent; }
QCheckBox::indicator, QRadioButton::indicator { width: 14px; height: 14px;
  border: 1px solid @faint; border-radius: 3px; background: @editor; }
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:hover, QCheckBox::indicator:focus,
QRadioButton::indicator:hover, QRadioButton::indicator:focus { border: 1px solid @accent; }
QRadioButton::indicator:checked { border: 1px solid @accent; background: qradialgradient(
  cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5, fy: 0.5, stop: 0 @accent, stop: 0.55 @accent,
  stop: 0.6 @editor, stop: 1 @editor); }
QCheckBox::indicator:checked { background: @accent; border: 1px solid @accent;
  image: url(:/icons/tick.svg); }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QGroupBox { border: 0; margin-top: 18px; font-weight: 600; }
QGroupBox::title { subcontrol-origin: margin; left: 0; color: @muted; }
QTextBrowser { background: @editor; border: 1px solid @border; }
QTextBrowser[role="answer"] { background: transparent; border: 0; color: @text;
  selection-background-color: @selection; selection-color: @text; }
)";

}  // namespace

QString styleSheet(const WindowColors& c, double points) {
  Q_ASSERT(points > 0);
  QString sheet = QString::fromLatin1(kTemplate);
  const auto inPoints = [](double size) {
    return QString::number(size, 'f', 1) + QLatin1String("pt");
  };
  sheet.replace(QLatin1String("@large"), inPoints(points * kLarge));
  sheet.replace(QLatin1String("@small"), inPoints(points * kSmall));
  sheet.replace(QLatin1String("@row"), QStringLiteral("%1px").arg(std::lround(points * kRow)));
  // Longer names first: "@onAccent" contains no other name, "@text" must not eat into any.
  const std::pair<const char*, QColor> colors[] = {
      {"@selection", c.selection}, {"@onAccent", c.onAccent}, {"@warning", c.warning},
      {"@chrome", c.chrome},       {"@editor", c.editor},     {"@raised", c.raised},
      {"@border", c.border},       {"@accent", c.accent},     {"@danger", c.danger},
      {"@hover", c.hover},         {"@muted", c.muted},       {"@faint", c.faint},
      {"@text", c.text},
  };
  for (const auto& [name, color] : colors) sheet.replace(QLatin1String(name), color.name());
  return sheet;
}

}  // namespace waferpair::gui
