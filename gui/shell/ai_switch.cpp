// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/ai_switch.h"

#include <QDockWidget>

#include "gui/client/runtime_service.h"
#include "gui/kit/command_registry.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/review_panel.h"
#include "gui/store/settings.h"
#include "gui/translate.h"
#include "pairing/models/model_roster.h"

namespace waferpair::gui {
namespace {

// The commands that are about models, by how their ids begin.
QStringList beginnings() {
  return {"ask.",
          "plan.",
          "review.",
          "model.",
          "suggest.",
          "wafer.",
          "edit.inPlace",
          "edit.another",
          "edit.document",
          "edit.simplify",
          "edit.fillIn",
          "edit.explain",
          "edit.fixError",
          "edit.writeTests",
          "edit.nextEdit",
          "edit.nextAnswer",
          "terminal.ask",
          "terminal.words",
          "terminal.fix",
          "edit.previousAnswer",
          "view.ask",
          "view.wafer",
          "help.lessons",
          "editor.suggest",
          "editor.read-suggestion",
          "editor.accept-",
          "editor.next-edit",
          "editor.next-suggestion",
          "editor.previous-suggestion"};
}

}  // namespace

AiSwitch::AiSwitch(const Parts& parts, QObject* parent) : QObject(parent), p_(parts) {
  p_.commands->contexts()->set(Context::kAiEnabled, true);
  p_.commands->showOnlyWhile(Context::kAiEnabled, beginnings());
  connect(p_.settings, &Settings::changed, this, &AiSwitch::look);
  look();
}

void AiSwitch::look() {
  const bool isOn = p_.settings->get().ai;
  if (isOn == isOn_) return;
  isOn_ = isOn;
  p_.commands->contexts()->set(Context::kAiEnabled, isOn);
  p_.roster->setOff(isOn
                        ? QString()
                        : tr("AI features are off. Settings > Suggestions > AI features turns them "
                             "on."));
  for (QWidget* widget : std::as_const(p_.shown)) widget->setVisible(isOn);
  if (isOn) {
    turnOn();
  } else {
    turnOff();
  }
}

void AiSwitch::turnOff() {
  p_.pair->ask()->stop();
  p_.pair->plan()->stop();
  p_.pair->review()->stop();
  if (p_.runtime) p_.runtime->stop();
  pairWasShown_ = !p_.pair->isHidden();
  waferWasShown_ = p_.wafer && !p_.wafer->isHidden();
  hideDocks();
}

void AiSwitch::turnOn() {
  if (p_.runtime) p_.runtime->start();
  p_.pair->setVisible(pairWasShown_);
  if (p_.wafer) p_.wafer->setVisible(waferWasShown_);
}

void AiSwitch::hideDocks() {
  if (isOn_) return;
  p_.pair->hide();
  if (p_.wafer) p_.wafer->hide();
}

}  // namespace waferpair::gui
