// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/larger_model.h"

#include <QFileInfo>

#include "gui/client/completion_service.h"
#include "gui/client/hosted_models.h"

namespace waferpair::gui {

LargerModel::LargerModel(HostedModels* hosted, CompletionService* completions, QObject* parent)
    : QObject(parent), hosted_(hosted), completions_(completions) {
  connect(hosted_, &HostedModels::changed, this, &LargerModel::follow);
}

void LargerModel::setFile(const QString& file) {
  if (file == file_) return;
  file_ = file;
  loaded_.clear();
  hosted_->offerToSuggest(file_);
  follow();
}

void LargerModel::follow() {
  const HostedModel* model = file_.isEmpty() ? nullptr : hosted_->find(file_);
  const bool isFirst = model && model == &hosted_->all().constFirst();
  // One that gave its memory back is loaded by what it is asked.
  const bool isThere =
      model && (model->state == ModelState::kReady || model->state == ModelState::kIdle);
  completions_->setLargerModel(isThere && !isFirst ? file_ : QString());
  if (!model) {
    loaded_.clear();
  } else if (model->state == ModelState::kIdle && !isFirst && loaded_ != file_) {
    loaded_ = file_;
    hosted_->load(file_);
  }
}

QString LargerModel::text() const {
  if (file_.isEmpty()) return {};
  const HostedModel* model = hosted_->find(file_);
  const QString name = model && !model->name.isEmpty() ? model->name : QFileInfo(file_).fileName();
  const editor::Error withheld = hosted_->withheld(file_);
  const editor::Error problem = model && withheld.what.isEmpty() ? model->problem : withheld;
  if (!problem.what.isEmpty()) return tr("%1 (cannot be used: %2)").arg(name, problem.message());
  if (!model || model->state == ModelState::kLoading) return tr("%1 (loading)").arg(name);
  return name;
}

}  // namespace waferpair::gui
