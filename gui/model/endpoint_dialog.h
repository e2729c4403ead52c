// SPDX-License-Identifier: GPL-3.0-or-later
// Sets up a model behind an address: the address, its protocol, a key, and which of the server's
// models it is. The models are listed on request; nothing else goes to the server from here.
#pragma once

#include <QDialog>
#include <functional>
#include <memory>

#include "pairing/models/model_roster.h"

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace waferpair::pairing {
class ListRequest;
}

namespace waferpair::gui {

class EndpointDialog : public QDialog {
  Q_OBJECT
 public:
  // Finds the key that is kept for an address; empty: there is none.
  using FindKey = std::function<void(const QUrl& base,
                                     const std::function<void(const QByteArray& key)>& found)>;
  // `endpoint` is what is shown at first; its key is not shown, and stays what it is while nothing
  // is entered.
  EndpointDialog(const pairing::ModelEntry& endpoint, FindKey findKey, QWidget* parent);
  ~EndpointDialog() override;

 Q_SIGNALS:
  void chosen(const waferpair::pairing::ModelEntry& endpoint);

 private:
  pairing::ModelEntry entry() const;
  void check();
  void listModels();
  void ask(const pairing::EndpointAddress& address);
  void say(const QString& text);

  pairing::ModelEntry endpoint_;
  FindKey findKey_;
  QLineEdit* base_;
  QComboBox* protocol_;
  QLineEdit* key_;
  QComboBox* model_;
  QPushButton* list_;
  QSpinBox* context_;  // in tokens; 0: as the server says
  QLineEdit* name_;
  QLabel* note_;
  QDialogButtonBox* buttons_;
  bool isListing_ = false;
  std::unique_ptr<pairing::ListRequest> request_;  // null: none is under way
  QHash<QString, qint64> contexts_;                // as listed, by model
};

}  // namespace waferpair::gui
