// SPDX-License-Identifier: GPL-3.0-or-later
// Values of a program that stands still, as a tree: those of the current frame, or those of
// expressions that the user watches. What is in a value is asked for when somebody looks, long
// arrays page by page. At the next stop the tree is renewed in place, and values that are others
// than before are marked. UI thread only.
#pragma once

#include <QAbstractItemModel>
#include <QHash>
#include <QPointer>
#include <memory>
#include <vector>

#include "workbench/debug/debug_session.h"

namespace waferpair::workbench {

class VariablesModel : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Role {
    kVariableChangedRole = Qt::UserRole,  // it has another value than at the stop before
    kVariableExpressionRole,              // by which it can be watched; may be empty
    kVariableProblemRole,                 // the value is a sentence that says why there is none
    kVariableWholeRole,                   // the whole value
    kVariableMemoryRole,                  // its address; may be empty
  };
  static constexpr qint64 kPage = 100;  // of an array

  enum class Kind { kFrame, kWatches };
  explicit VariablesModel(Kind kind, QObject* parent = nullptr)
      : QAbstractItemModel(parent), kind_(kind) {}

  // Null: there is none; watches stay, without values.
  void setSession(DebugSession* session);
  // Asks anew. `isNewStop`: the program has run since, so marks of earlier stops go.
  void refresh(bool isNewStop);
  void setWatches(const QStringList& expressions);
  const QStringList& watches() const { return watches_; }
  // The variables in the frame's scopes that are known, those that come first hide others.
  QVector<Variable> locals() const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& = {}) const override { return 2; }
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  bool hasChildren(const QModelIndex& parent = {}) const override;
  bool canFetchMore(const QModelIndex& parent) const override;
  void fetchMore(const QModelIndex& parent) override;

 Q_SIGNALS:
  // A value could not be set.
  void problem(const QString& text);
  // The frame's variables have come.
  void localsChanged();

 private:
  struct Node {
    qint64 id = 0;
    Node* parent = nullptr;
    Variable variable;
    QString key;  // unique among its siblings
    bool isProblem = false;
    bool isChanged = false;
    bool isPage = false;  // of an array: these of its values
    qint64 start = 0;
    qint64 count = 0;
    bool isAsked = false;  // for what is in it
    std::vector<std::unique_ptr<Node>> children;
  };

  Node* nodeOf(const QModelIndex& index) const;
  QModelIndex indexOf(const Node* node, int column = 0) const;
  int rowOf(const Node* node) const;
  // Makes the children these.
  void merge(Node* parent, const QVector<Variable>& variables);
  void update(Node* node, const Variable& variable, bool isProblem = false);
  std::unique_ptr<Node> make(Node* parent, const Variable& variable, const QString& key);
  void forget(Node* node);
  void clearChildren(Node* node);
  void fetch(Node* node);
  void addPages(Node* node, qint64 start, qint64 count);
  void evaluateWatches();
  void takeScopes(const QVector<Variable>& scopes);

  Kind kind_;
  QPointer<DebugSession> session_;
  QStringList watches_;
  Node root_;
  QHash<qint64, Node*> nodes_;
  qint64 lastId_ = 0;
  bool isNewStop_ = false;
  QString frame_;  // whose values these are
};

}  // namespace waferpair::workbench
