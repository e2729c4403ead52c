// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/debug/breakpoint_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace waferpair::gui {

BreakpointDialog::BreakpointDialog(const workbench::Breakpoint& breakpoint, QWidget* parent)
    : QDialog(parent),
      breakpoint_(breakpoint),
      condition_(new QLineEdit(breakpoint.condition, this)),
      hits_(new QLineEdit(breakpoint.hits, this)),
      log_(new QLineEdit(breakpoint.log, this)),
      on_(new QCheckBox(tr("It is &on"), this)) {
  setObjectName(QStringLiteral("breakpointDialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(
      tr("Breakpoint at %1:%2").arg(breakpoint.path.section(u'/', -1)).arg(breakpoint.line + 1));
  auto* form = new QFormLayout;
  const auto add = [&](QLineEdit* field, const char* name, const QString& label,
                       const QString& hint) {
    field->setObjectName(QLatin1String(name));
    field->setPlaceholderText(hint);
    field->setMinimumWidth(340);
    auto* text = new QLabel(label, this);
    text->setBuddy(field);
    form->addRow(text, field);
  };
  add(condition_, "breakpointCondition", tr("Stop &if"), tr("an expression, as x > 3"));
  add(hits_, "breakpointHits", tr("Stop when &passed"), tr("so often, as 5"));
  add(log_, "breakpointLog", tr("&Print, do not stop"), tr("text, with {expressions}"));
  on_->setObjectName(QStringLiteral("breakpointOn"));
  on_->setChecked(breakpoint.isOn);
  form->addRow({}, on_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(buttons);
  condition_->setFocus();
}

workbench::Breakpoint BreakpointDialog::breakpoint() const {
  workbench::Breakpoint wanted = breakpoint_;
  wanted.condition = condition_->text().trimmed();
  wanted.hits = hits_->text().trimmed();
  wanted.log = log_->text();
  wanted.isOn = on_->isChecked();
  return wanted;
}

}  // namespace waferpair::gui
