// SPDX-License-Identifier: GPL-3.0-or-later
// Shows what there is to know of a model before it is fetched: its uses, its license, and from
// the hub its size. It asks the hub once it is shown, which must have been agreed to; nothing is
// fetched from here.
#pragma once

#include <QDialog>
#include <memory>

#include "pairing/downloads/catalog.h"
#include "pairing/downloads/hub.h"

class QPushButton;
class QFormLayout;
class QLabel;

namespace waferpair::pairing {
class HubQuestion;
}

namespace waferpair::gui {

class GetModelDialog : public QDialog {
  Q_OBJECT
 public:
  // `cache` is where the file would go; `freeMemory` in bytes, 0: not known.
  GetModelDialog(const pairing::CatalogModel& model, const QUrl& hub, const QString& cache,
                 qint64 freeMemory, QWidget* parent);
  ~GetModelDialog() override;

 Q_SIGNALS:
  // The hub has answered; `file` is the one that would be fetched.
  void told(const waferpair::pairing::HubFile& file);
  // It is to be fetched.
  void chosen(const QString& commit, const waferpair::pairing::HubFile& file);

 private:
  QLabel* addRow(QFormLayout* form, const char* objectName, const QString& label,
                 const QString& text);
  void ask();
  void show(const pairing::HubModel& answer);
  void refuse(const editor::Error& error);

  pairing::CatalogModel model_;
  QUrl hub_;
  QString cache_;
  qint64 freeMemory_;
  QString commit_;
  pairing::HubFile file_;
  QLabel* size_;
  QLabel* memory_;
  QLabel* room_;
  QLabel* note_;
  QPushButton* get_;
  std::unique_ptr<pairing::HubQuestion> question_;  // null: none is under way
};

// The memory that a model of so large a file takes, as far as its size alone tells.
qint64 memoryFor(qint64 fileBytes);
// The name of a hub to whoever is asked about it.
QString hubName(const QUrl& hub);

}  // namespace waferpair::gui
