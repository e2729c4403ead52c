// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/agreement.h"

#include <QMessageBox>
#include <QPushButton>

namespace waferpair::gui {
namespace {

// It goes with its window, or once it is closed.
QMessageBox* makeBox(const char* name, QMessageBox::Icon icon, const QString& title,
                     const QString& text, const QString& details, QWidget* window) {
  auto* box = new QMessageBox(icon, title, text, QMessageBox::NoButton, window);
  box->setObjectName(QLatin1String(name));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setInformativeText(details);
  return box;
}

}  // namespace

void askToAgree(const ConsentQuestion& agreement, QWidget* window, QObject* context,
                const std::function<void()>& agreed) {
  QMessageBox* box = makeBox(agreement.name, QMessageBox::Question, agreement.title,
                             agreement.question, agreement.details, window);
  QPushButton* yes = box->addButton(agreement.yes, QMessageBox::AcceptRole);
  yes->setObjectName(QStringLiteral("agree"));
  QPushButton* no = box->addButton(QMessageBox::Cancel);
  no->setObjectName(QStringLiteral("disagree"));
  box->setDefaultButton(no);
  QObject::connect(box, &QMessageBox::finished, context, [box, yes, agreed] {
    if (box->clickedButton() == yes) agreed();
  });
  box->open();
}

void tellRefusal(const char* name, const QString& title, const editor::Error& why,
                 QWidget* window) {
  QMessageBox* box = makeBox(name, QMessageBox::Information, title, why.what, why.remedy, window);
  box->setStandardButtons(QMessageBox::Ok);
  box->open();
}

}  // namespace waferpair::gui
