// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/setting_control.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QSpinBox>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <optional>

#include "gui/store/json_reader.h"

namespace waferpair::gui {
namespace {

constexpr int kFieldWidth = 280;  // pixels, of a choice or a text

// Nullopt: it is no JSON.
std::optional<QJsonValue> jsonValue(const QString& text) {
  const QByteArray bytes = text.toUtf8();
  JsonReader reader(bytes);
  reader.skipBlanks();
  const QJsonValue value = reader.value();
  reader.skipBlanks();
  return reader.failed() || !reader.atEnd() ? std::nullopt : std::optional(value);
}

QString inWords(const SettingRow& row, const QJsonValue& value) {
  for (const SettingChoice& choice : row.choices)
    if (choice.value == value.toString()) return choice.title;
  if (row.isFlag()) return value.toBool() ? SettingControl::tr("on") : SettingControl::tr("off");
  return QString::fromUtf8(jsonLine(value));
}

}  // namespace

SettingControl::SettingControl(const SettingRow& row, SettingsScope scope, Settings* settings,
                               QWidget* parent)
    : QWidget(parent), row_(row), scope_(scope), settings_(settings) {
  setObjectName(QStringLiteral("settingRow.") + row.id);
  mark_ = new QLabel(tr("changed"), this);
  mark_->setProperty("role", QStringLiteral("badge"));
  reset_ = new QToolButton(this);
  reset_->setObjectName(QStringLiteral("settingReset.") + row.id);
  reset_->setText(tr("Reset"));
  reset_->setFocusPolicy(Qt::StrongFocus);
  QSizePolicy keeps = reset_->sizePolicy();
  keeps.setRetainSizeWhenHidden(true);  // the row stays as high as it is
  reset_->setSizePolicy(keeps);
  reset_->setAccessibleName(tr("Reset %1").arg(row.title));
  reset_->setToolTip(
      tr("Take it out of the file, so that %1 holds again").arg(inWords(row, row.defaultValue())));
  auto* file = new QToolButton(this);
  file->setObjectName(QStringLiteral("settingFile.") + row.id);
  file->setText(row.id);
  file->setProperty("role", QStringLiteral("id"));
  file->setFocusPolicy(Qt::ClickFocus);
  file->setAccessibleName(tr("%1 in the file").arg(row.title));
  file->setToolTip(tr("Open the file at this setting (Ctrl+Enter)"));
  auto* help = new QLabel(row.help, this);
  help->setProperty("role", QStringLiteral("muted"));
  help->setWordWrap(true);
  note_ = new QLabel(this);
  note_->setObjectName(QStringLiteral("settingNote.") + row.id);
  note_->setWordWrap(true);
  note_->hide();

  auto* head = new QHBoxLayout;
  head->setContentsMargins(0, 0, 0, 0);
  head->setSpacing(8);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 8, 0, 8);
  column->setSpacing(4);
  column->addLayout(head);
  if (row.isFlag()) {
    control_ = makeFlag();
    head->addWidget(control_);
    const int indent = style()->pixelMetric(QStyle::PM_IndicatorWidth, nullptr, control_) +
                       style()->pixelMetric(QStyle::PM_CheckBoxLabelSpacing, nullptr, control_);
    help->setIndent(indent);
    note_->setIndent(indent);
    column->addWidget(help);
  } else {
    control_ = !row.choices.isEmpty()                 ? makeChoice()
               : row.isNumber()                       ? makeNumber()
               : row.isList()                         ? makeJson()
               : row.names != SettingRow::Names::kAny ? makeNames()
                                                      : makeText();
    auto* title = new QLabel(row.title, this);
    title->setProperty("role", QStringLiteral("heading"));
    title->setBuddy(control_);
    head->addWidget(title);
    column->addWidget(help);
    column->addWidget(control_, 0, Qt::AlignLeft);
  }
  column->addWidget(note_);
  head->addWidget(mark_);
  head->addStretch();
  head->addWidget(reset_);
  head->addWidget(file);
  control_->setObjectName(QStringLiteral("setting.") + row.id);
  control_->setAccessibleName(row.title);
  control_->setAccessibleDescription(row.help);
  control_->installEventFilter(this);
  connect(reset_, &QToolButton::clicked, this, [this] {
    control_->setFocus();
    settings_->setValue(scope_, row_, QJsonValue::Undefined);
  });
  connect(file, &QToolButton::clicked, this, [this] { Q_EMIT fileWanted(row_.id); });
  refresh();
}

// A wheel that scrolls the page does not turn over what lies under it.
bool SettingControl::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Wheel && !control_->hasFocus()) {
    event->ignore();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

bool SettingControl::matches(const QStringList& words) const {
  const QString text = row_.title + u' ' + row_.help + u' ' + row_.category + u' ' + row_.id;
  for (const QString& word : words)
    if (!text.contains(word, Qt::CaseInsensitive)) return false;
  return true;
}

void SettingControl::set(const QJsonValue& value) {
  if (isShowing_) return;
  // A project cannot switch it on: it says nothing of it then.
  const bool isOnlyOff =
      scope_ == SettingsScope::kProject && row_.project == ProjectMay::kSwitchOff;
  settings_->setValue(scope_, row_,
                      isOnlyOff && value.toBool() ? QJsonValue(QJsonValue::Undefined) : value);
}

void SettingControl::say(const QString& wrong) {
  note_->setProperty("role", QStringLiteral("problem"));
  note_->setText(wrong);
  note_->setVisible(!wrong.isEmpty());
  note_->style()->polish(note_);
}

void SettingControl::refresh() {
  const QScopedValueRollback showing(isShowing_, true);
  const QJsonValue own = settings_->value(scope_, row_);
  const QJsonValue users = settings_->value(SettingsScope::kUser, row_);
  const QJsonValue below =
      scope_ == SettingsScope::kProject && !users.isUndefined() ? users : row_.defaultValue();
  show_(own.isUndefined() ? below : own);
  mark_->setVisible(!own.isUndefined());
  reset_->setVisible(!own.isUndefined());
  const QJsonValue projects = settings_->value(SettingsScope::kProject, row_);
  const bool isOverruled = scope_ == SettingsScope::kUser && !projects.isUndefined();
  note_->setProperty("role", QStringLiteral("muted"));
  note_->setText(isOverruled ? tr("In this project: %1").arg(inWords(row_, projects)) : QString());
  note_->setVisible(isOverruled);
  note_->style()->polish(note_);
}

QWidget* SettingControl::makeFlag() {
  auto* box = new QCheckBox(row_.title, this);
  show_ = [box](const QJsonValue& value) { box->setChecked(value.toBool()); };
  connect(box, &QCheckBox::toggled, this, [this](bool on) { set(on); });
  return box;
}

QWidget* SettingControl::makeChoice() {
  auto* choice = new QComboBox(this);
  choice->setFocusPolicy(Qt::StrongFocus);
  for (const SettingChoice& one : row_.choices) choice->addItem(one.title, one.value);
  show_ = [choice](const QJsonValue& value) {
    choice->setCurrentIndex(choice->findData(value.toString()));
  };
  connect(choice, &QComboBox::currentIndexChanged, this,
          [this, choice](int index) { set(choice->itemData(index).toString()); });
  return choice;
}

QWidget* SettingControl::makeNames() {
  auto* choice = new QComboBox(this);
  choice->setFocusPolicy(Qt::StrongFocus);
  choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  choice->setMinimumWidth(kFieldWidth);
  choice->addItem(row_.emptyTitle, QString());
  const QStringList names = row_.namesThere();
  for (const QString& one : names) choice->addItem(one, one);
  show_ = [choice](const QJsonValue& value) {
    const QString name = value.toString();
    if (choice->findData(name) < 0) choice->addItem(name, name);
    choice->setCurrentIndex(choice->findData(name));
  };
  connect(choice, &QComboBox::currentIndexChanged, this,
          [this, choice](int index) { set(choice->itemData(index).toString()); });
  return choice;
}

QWidget* SettingControl::makeNumber() {
  const QString suffix = row_.unit.isEmpty() ? QString() : u' ' + row_.unit;
  if (row_.isWhole()) {
    auto* box = new QSpinBox(this);
    box->setFocusPolicy(Qt::StrongFocus);
    box->setRange(static_cast<int>(row_.least), static_cast<int>(row_.most));
    box->setSuffix(suffix);
    show_ = [box](const QJsonValue& value) { box->setValue(value.toInt()); };
    connect(box, &QSpinBox::valueChanged, this, [this](int value) { set(value); });
    return box;
  }
  auto* box = new QDoubleSpinBox(this);
  box->setFocusPolicy(Qt::StrongFocus);
  box->setRange(row_.least, row_.most);
  box->setDecimals(1);
  box->setSingleStep(row_.most > 10 ? 0.5 : 0.1);
  box->setSuffix(suffix);
  show_ = [box](const QJsonValue& value) { box->setValue(value.toDouble()); };
  connect(box, &QDoubleSpinBox::valueChanged, this, [this](double value) { set(value); });
  return box;
}

QWidget* SettingControl::makeText() {
  auto* field = new QLineEdit(this);
  field->setMinimumWidth(kFieldWidth);
  field->setPlaceholderText(row_.emptyTitle);
  show_ = [field](const QJsonValue& value) {
    if (field->text() != value.toString()) field->setText(value.toString());
  };
  connect(field, &QLineEdit::textEdited, this, [this](const QString& text) { set(text); });
  return field;
}

// A list, as it stands in the file. It is set as soon as what is typed makes sense.
QWidget* SettingControl::makeJson() {
  auto* field = new QLineEdit(this);
  field->setMinimumWidth(kFieldWidth);
  show_ = [field](const QJsonValue& value) {
    const auto shown = jsonValue(field->text());
    if (!shown && field->hasFocus()) return;  // it is being typed
    if (!shown || *shown != value) field->setText(QString::fromUtf8(jsonLine(value)));
  };
  connect(field, &QLineEdit::textEdited, this, [this](const QString& text) {
    const auto value = jsonValue(text);
    if (value && row_.wrongWith(*value).isEmpty()) {
      set(*value);
    } else {
      say(tr("This is to be %1.").arg(row_.expected()));
    }
  });
  return field;
}

}  // namespace waferpair::gui
