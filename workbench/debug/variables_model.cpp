// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/debug/variables_model.h"

#include <QSet>
#include <algorithm>

#include "editor/text/translate.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostShownOfValue = 1'000;  // UTF-16 units in a row
constexpr qsizetype kMostToolTip = 4'000;
constexpr qint64 kMostPages = 100;  // side by side

}  // namespace

void VariablesModel::setSession(DebugSession* session) {
  if (session_ == session) return;
  session_ = session;
  beginResetModel();
  clearChildren(&root_);
  frame_.clear();
  endResetModel();
  if (kind_ == Kind::kWatches) evaluateWatches();
}

void VariablesModel::refresh(bool isNewStop) {
  isNewStop_ = isNewStop;
  if (kind_ == Kind::kWatches) return evaluateWatches();
  const StackFrame* frame = session_ ? session_->currentFrame() : nullptr;
  // Between two stops what was shown stays, as it will be much the same.
  if (!frame) return;
  const QString name = frame->name + u'\n' + frame->path;
  if (name != frame_) {
    beginResetModel();
    clearChildren(&root_);
    endResetModel();
    frame_ = name;
  }
  session_->scopes([self = QPointer(this), name](const QVector<Variable>& scopes, const QString&) {
    if (self && name == self->frame_ && !scopes.isEmpty()) self->takeScopes(scopes);
  });
}

void VariablesModel::takeScopes(const QVector<Variable>& scopes) {
  merge(&root_, scopes);
  // The first one is what is looked at; the others are asked for when they are opened.
  if (root_.children.empty()) return;
  Node* first = root_.children.front().get();
  if (!first->isAsked && first->variable.reference > 0) fetch(first);
}

void VariablesModel::setWatches(const QStringList& expressions) {
  watches_ = expressions;
  evaluateWatches();
}

void VariablesModel::evaluateWatches() {
  QStringList before;
  for (const auto& child : root_.children) before.append(child->variable.name);
  if (before != watches_) {
    QVector<Variable> rows;
    for (const QString& expression : std::as_const(watches_)) {
      Variable row;
      row.name = expression;
      row.expression = expression;
      // What is known of it stays until its value comes.
      if (const qsizetype at = before.indexOf(expression); at >= 0)
        row = root_.children[static_cast<size_t>(at)]->variable;
      rows.append(row);
    }
    merge(&root_, rows);
  }
  const bool isStopped = session_ && session_->currentFrame();
  for (const auto& child : root_.children) {
    const QString expression = child->variable.name;
    if (!isStopped) {
      Variable none;
      none.name = expression;
      none.expression = expression;
      if (!session_) update(child.get(), none);
      continue;
    }
    session_->evaluate(expression, QStringLiteral("watch"),
                       [self = QPointer(this), id = child->id, expression](const Variable& value,
                                                                           const QString& wrong) {
                         Node* node = self ? self->nodes_.value(id) : nullptr;
                         if (!node || node->variable.name != expression) return;
                         Variable shown = value;
                         if (!wrong.isEmpty()) shown.value = wrong;
                         self->update(node, shown, !wrong.isEmpty());
                       });
  }
}

QVector<Variable> VariablesModel::locals() const {
  QVector<Variable> locals;
  QSet<QString> names;
  for (const auto& scope : root_.children) {
    if (scope->variable.isExpensive) continue;
    for (const auto& each : scope->children) {
      if (names.contains(each->variable.name)) continue;
      names.insert(each->variable.name);
      locals.append(each->variable);
    }
  }
  return locals;
}

// -- The tree

std::unique_ptr<VariablesModel::Node> VariablesModel::make(Node* parent, const Variable& variable,
                                                           const QString& key) {
  auto node = std::make_unique<Node>();
  node->id = ++lastId_;
  node->parent = parent;
  node->variable = variable;
  node->key = key;
  nodes_.insert(node->id, node.get());
  return node;
}

void VariablesModel::forget(Node* node) {
  nodes_.remove(node->id);
  for (const auto& child : node->children) forget(child.get());
}

void VariablesModel::clearChildren(Node* node) {
  for (const auto& child : node->children) forget(child.get());
  node->children.clear();
  node->isAsked = false;
}

void VariablesModel::update(Node* node, const Variable& variable, bool isProblem) {
  const bool differs = node->variable.value != variable.value && !node->variable.value.isEmpty();
  node->isChanged = differs || (node->isChanged && !isNewStop_);
  node->isProblem = isProblem;
  node->variable = variable;
  Q_EMIT dataChanged(indexOf(node, 0), indexOf(node, 1));
  if (node->isPage || !node->isAsked) return;
  if (variable.reference > 0) return fetch(node);
  if (!node->children.empty()) {
    beginRemoveRows(indexOf(node), 0, static_cast<int>(node->children.size()) - 1);
    clearChildren(node);
    endRemoveRows();
  }
  node->isAsked = false;
}

void VariablesModel::merge(Node* parent, const QVector<Variable>& variables) {
  QHash<QString, qsizetype> wanted;
  QStringList keys;
  // One that hides another has its name.
  QHash<QString, int> times;
  for (qsizetype i = 0; i < variables.size(); ++i) {
    const int time = times[variables[i].name]++;
    keys.append(time == 0 ? variables[i].name : variables[i].name + u'\n' + QString::number(time));
    wanted.insert(keys.last(), i);
  }
  const QModelIndex at = indexOf(parent);
  auto& children = parent->children;
  for (int row = static_cast<int>(children.size()) - 1; row >= 0; --row) {
    if (children[static_cast<size_t>(row)]->isPage ||
        wanted.contains(children[static_cast<size_t>(row)]->key))
      continue;
    beginRemoveRows(at, row, row);
    forget(children[static_cast<size_t>(row)].get());
    children.erase(children.begin() + row);
    endRemoveRows();
  }
  for (qsizetype i = 0; i < variables.size(); ++i) {
    const auto row = static_cast<size_t>(i);
    if (row < children.size() && children[row]->key == keys[i]) {
      update(children[row].get(), variables[i]);
      continue;
    }
    // In another order than before: it is made anew in its place.
    const auto old =
        std::find_if(children.begin() + static_cast<std::ptrdiff_t>(std::min(row, children.size())),
                     children.end(), [&](const auto& each) { return each->key == keys[i]; });
    if (old != children.end()) {
      const int from = static_cast<int>(old - children.begin());
      beginRemoveRows(at, from, from);
      forget(old->get());
      children.erase(old);
      endRemoveRows();
    }
    const int to = static_cast<int>(std::min(row, children.size()));
    // Those that come next are new as well, as a rule: they come at once.
    int last = to;
    qsizetype next = i + 1;
    std::vector<std::unique_ptr<Node>> fresh;
    fresh.push_back(make(parent, variables[i], keys[i]));
    while (next < variables.size() && row >= children.size()) {
      fresh.push_back(make(parent, variables[next], keys[next]));
      ++next;
      ++last;
    }
    beginInsertRows(at, to, last);
    children.insert(children.begin() + to, std::make_move_iterator(fresh.begin()),
                    std::make_move_iterator(fresh.end()));
    endInsertRows();
    i = next - 1;
  }
}

void VariablesModel::addPages(Node* node, qint64 start, qint64 count) {
  qint64 size = kPage;
  while ((count + size - 1) / size > kMostPages) size *= kPage;
  auto& children = node->children;
  qsizetype pages = std::count_if(children.begin(), children.end(),
                                  [](const auto& each) { return each->isPage; });
  const qint64 wanted = (count + size - 1) / size;
  const QModelIndex at = indexOf(node);
  // Their values are asked for anew where somebody has looked.
  for (const auto& each : children) {
    if (!each->isPage) continue;
    each->variable.reference = node->variable.reference;
    if (each->isAsked) fetch(each.get());
  }
  if (pages == wanted) return;
  const int first = static_cast<int>(children.size() - static_cast<size_t>(pages));
  if (pages > 0) {
    beginRemoveRows(at, first, static_cast<int>(children.size()) - 1);
    for (auto each = children.begin() + first; each != children.end(); ++each) forget(each->get());
    children.erase(children.begin() + first, children.end());
    endRemoveRows();
  }
  beginInsertRows(at, first, first + static_cast<int>(wanted) - 1);
  for (qint64 from = start; from < start + count; from += size) {
    Variable page;
    const qint64 some = std::min(size, start + count - from);
    page.name = QStringLiteral("[%1 … %2]").arg(from).arg(from + some - 1);
    page.reference = node->variable.reference;
    page.isReadOnly = true;
    auto made = make(node, page, page.name);
    made->isPage = true;
    made->start = from;
    made->count = some;
    children.push_back(std::move(made));
  }
  endInsertRows();
}

void VariablesModel::fetch(Node* node) {
  if (!session_) return;
  node->isAsked = true;
  const qint64 reference = node->variable.reference;
  const auto take = [self = QPointer(this), id = node->id, reference](const QVector<Variable>& got,
                                                                      const QString& wrong) {
    Node* at = self ? self->nodes_.value(id) : nullptr;
    if (!at || at->variable.reference != reference) return;
    QVector<Variable> values = got;
    if (!wrong.isEmpty() || got.size() >= kMostVariables) {
      Variable note;
      note.name = QStringLiteral("…");
      note.value = wrong.isEmpty() ? translate("The others are not shown.") : wrong;
      note.isReadOnly = true;
      values.append(note);
    }
    self->merge(at, values);
    if (at->parent == &self->root_) Q_EMIT self->localsChanged();
  };
  if (node->isPage) {
    if (node->count > kPage) return addPages(node, node->start, node->count);
    return session_->variables(reference, node->start, node->count, take);
  }
  if (node->variable.indexed <= kPage) return session_->variables(reference, 0, 0, take);
  addPages(node, 0, node->variable.indexed);
  if (node->variable.named > 0) session_->variables(reference, 0, -1, take);
}

// -- As a model

VariablesModel::Node* VariablesModel::nodeOf(const QModelIndex& index) const {
  return index.isValid() ? static_cast<Node*>(index.internalPointer()) : const_cast<Node*>(&root_);
}

int VariablesModel::rowOf(const Node* node) const {
  const auto& siblings = node->parent->children;
  const auto at = std::find_if(siblings.begin(), siblings.end(),
                               [node](const auto& each) { return each.get() == node; });
  return static_cast<int>(at - siblings.begin());
}

QModelIndex VariablesModel::indexOf(const Node* node, int column) const {
  if (node == &root_ || !node) return {};
  return createIndex(rowOf(node), column, const_cast<Node*>(node));
}

QModelIndex VariablesModel::index(int row, int column, const QModelIndex& parent) const {
  const Node* node = nodeOf(parent);
  if (row < 0 || column < 0 || column > 1 || row >= static_cast<int>(node->children.size()))
    return {};
  return createIndex(row, column, node->children[static_cast<size_t>(row)].get());
}

QModelIndex VariablesModel::parent(const QModelIndex& index) const {
  return index.isValid() ? indexOf(nodeOf(index)->parent) : QModelIndex();
}

int VariablesModel::rowCount(const QModelIndex& parent) const {
  return parent.column() > 0 ? 0 : static_cast<int>(nodeOf(parent)->children.size());
}

bool VariablesModel::hasChildren(const QModelIndex& parent) const {
  if (parent.column() > 0) return false;
  const Node* node = nodeOf(parent);
  return !node->children.empty() || node->variable.reference > 0;
}

bool VariablesModel::canFetchMore(const QModelIndex& parent) const {
  const Node* node = nodeOf(parent);
  return node != &root_ && session_ && session_->isStopped() && !node->isAsked &&
         node->variable.reference > 0;
}

void VariablesModel::fetchMore(const QModelIndex& parent) {
  if (canFetchMore(parent)) fetch(nodeOf(parent));
}

QVariant VariablesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  if (section == 1) return translate("Value");
  return kind_ == Kind::kWatches ? translate("Expression") : translate("Name");
}

QVariant VariablesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Node& node = *nodeOf(index);
  const Variable& variable = node.variable;
  switch (role) {
    case Qt::DisplayRole: {
      if (index.column() == 0) return variable.name;
      QString shown = variable.value.left(kMostShownOfValue);
      shown.replace(u'\n', u'⏎');
      return shown;
    }
    case Qt::EditRole:
      return index.column() == 0 ? variable.name : variable.value;
    case Qt::ToolTipRole: {
      const QString name = variable.type.isEmpty()
                               ? variable.name
                               : variable.name + QStringLiteral(": ") + variable.type;
      return variable.value.isEmpty() ? name : name + u'\n' + variable.value.left(kMostToolTip);
    }
    case Qt::AccessibleTextRole: {
      if (index.column() == 0) return variable.name;
      const QString value = variable.value.left(kMostShownOfValue);
      return node.isChanged ? translate("%1, changed").arg(value) : value;
    }
    case kVariableChangedRole:
      return node.isChanged;
    case kVariableProblemRole:
      return node.isProblem;
    case kVariableExpressionRole:
      return variable.expression;
    case kVariableWholeRole:
      return variable.value;
    case kVariableMemoryRole:
      return variable.memory;
    default:
      return {};
  }
}

Qt::ItemFlags VariablesModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractItemModel::flags(index);
  if (!index.isValid()) return flags;
  const Node* node = nodeOf(index);
  const bool isScope = kind_ == Kind::kFrame && node->parent == &root_;
  const bool isWatch = kind_ == Kind::kWatches && node->parent == &root_;
  if (index.column() == 0) return isWatch ? flags | Qt::ItemIsEditable : flags;
  const bool canSet = session_ && !isScope && !node->isPage && !node->isProblem &&
                      session_->canSet(node->parent->variable.reference, node->variable);
  return canSet ? flags | Qt::ItemIsEditable : flags;
}

bool VariablesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !index.isValid()) return false;
  const Node* node = nodeOf(index);
  const QString text = value.toString().trimmed();
  if (index.column() == 0) {
    if (kind_ != Kind::kWatches || node->parent != &root_ || text == node->variable.name)
      return false;
    QStringList watches = watches_;
    watches[rowOf(node)] = text;
    watches.removeAll(QString());
    setWatches(watches);
    return true;
  }
  if (!session_ || text == node->variable.value) return false;
  session_->setValue(
      node->parent->variable.reference, node->variable, text,
      [self = QPointer(this), id = node->id](const Variable& set, const QString& wrong) {
        if (!self) return;
        if (!wrong.isEmpty()) {
          Q_EMIT self->problem(wrong);
          return;
        }
        Node* at = self->nodes_.value(id);
        if (!at) return;
        Variable now = at->variable;
        now.value = set.value;
        now.reference = set.reference;
        self->isNewStop_ = false;
        self->update(at, now);
      });
  return true;
}

}  // namespace waferpair::workbench
