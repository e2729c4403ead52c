// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/automation/element.h"

#include <QApplication>
#include <QJsonArray>
#include <QMetaEnum>
#include <QWidget>
#include <algorithm>
#include <utility>

namespace waferpair::gui {
namespace {

constexpr int kMostChildren = 500;        // told of one element
constexpr int kMostLooked = 20'000;       // elements that a path is searched in
constexpr qsizetype kMostTextTold = 500;  // of a value: an editor's is its whole text
constexpr qsizetype kMostSteps = 16;

QString textOf(QAccessibleInterface* element, QAccessible::Text what) {
  QString text = element->text(what);
  if (text.size() > kMostTextTold) text = text.left(kMostTextTold) + QChar(0x2026);
  return text;
}

QString objectNameOf(QAccessibleInterface* element) {
  return element->object() ? element->object()->objectName() : QString();
}

QStringList statesOf(QAccessibleInterface* element) {
  const QAccessible::State s = element->state();
  QStringList states;
  const auto add = [&states](bool is, const char* name) {
    if (is) states.append(QLatin1String(name));
  };
  add(s.disabled, "disabled");
  add(s.focusable, "focusable");
  add(s.focused, "focused");
  add(s.selected, "selected");
  add(s.checkable, "checkable");
  add(s.checked, "checked");
  add(s.expandable, "expandable");
  add(s.expanded, "expanded");
  add(s.pressed, "pressed");
  add(s.editable, "editable");
  add(s.readOnly, "read only");
  add(s.multiLine, "multi-line");
  add(s.hasPopup, "has popup");
  add(s.defaultButton, "default");
  add(s.modal, "modal");
  add(s.active, "active");
  return states;
}

bool isSeen(QAccessibleInterface* element) {
  return element && element->isValid() && !element->state().invisible;
}

// One step of a path.
struct Step {
  QString role, name, object;

  bool matches(QAccessibleInterface* element) const {
    return (role.isEmpty() || roleName(element->role()) == role) &&
           (name.isEmpty() || element->text(QAccessible::Name) == name) &&
           (object.isEmpty() || objectNameOf(element) == object);
  }
  QString text() const {
    QStringList parts;
    if (!role.isEmpty()) parts.append(role);
    if (!name.isEmpty()) parts.append(u'"' + name + u'"');
    if (!object.isEmpty()) parts.append(QStringLiteral("object ") + object);
    return parts.join(u' ');
  }
};

tl::expected<Step, RpcError> parseStep(const QJsonValue& value) {
  Step step;
  if (value.isString()) {
    step.name = value.toString();
  } else {
    const QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it) {
      QString* field = it.key() == QLatin1String("role")     ? &step.role
                       : it.key() == QLatin1String("name")   ? &step.name
                       : it.key() == QLatin1String("object") ? &step.object
                                                             : nullptr;
      if (!field || !it->isString())
        return rpcFail(
            RpcError::kInvalidParams, QStringLiteral("A step of \"element\" is not understood."),
            QStringLiteral("Give a name, or {\"role\", \"name\", \"object\"} with texts."));
      *field = it->toString();
    }
  }
  if (step.text().isEmpty())
    return rpcFail(RpcError::kInvalidParams, QStringLiteral("A step of \"element\" is empty."),
                   QStringLiteral("Give a name, a role or an object name."));
  return step;
}

using Elements = QList<QAccessibleInterface*>;

void addChildren(QAccessibleInterface* element, Elements* to) {
  const int count = std::min(element->childCount(), kMostLooked);
  for (int i = 0; i < count; ++i)
    if (QAccessibleInterface* child = element->child(i); isSeen(child)) to->append(child);
}

// The nearest that match, level by level below `level` (which takes part itself).
Elements nearest(Elements level, const Step& step) {
  for (int looked = 0; !level.isEmpty() && looked < kMostLooked;) {
    Elements found, next;
    for (QAccessibleInterface* element : std::as_const(level)) {
      if (step.matches(element)) found.append(element);
      if (++looked < kMostLooked) addChildren(element, &next);
    }
    if (!found.isEmpty()) return found;
    level = std::move(next);
  }
  return {};
}

}  // namespace

QString roleName(QAccessible::Role role) {
  const char* key = QMetaEnum::fromType<QAccessible::Role>().valueToKey(role);
  QString name;
  for (const QChar c : QLatin1String(key ? key : "Unknown").toString()) {
    if (c.isUpper() && !name.isEmpty()) name += u' ';
    name += c.toLower();
  }
  return name;
}

QJsonObject elementTree(QAccessibleInterface* root, int depth) {
  QJsonObject object{{QStringLiteral("role"), roleName(root->role())}};
  const auto put = [&object](const char* name, const QString& text) {
    if (!text.isEmpty()) object.insert(QLatin1String(name), text);
  };
  put("name", textOf(root, QAccessible::Name));
  put("description", textOf(root, QAccessible::Description));
  put("value", textOf(root, QAccessible::Value));
  put("keys", textOf(root, QAccessible::Accelerator));
  put("object", objectNameOf(root));
  if (const QStringList states = statesOf(root); !states.isEmpty())
    object.insert(QStringLiteral("states"), QJsonArray::fromStringList(states));
  const QRect r = root->rect();
  object.insert(QStringLiteral("rect"), QJsonArray{r.x(), r.y(), r.width(), r.height()});
  if (depth <= 1) return object;
  Elements children;
  addChildren(root, &children);
  if (children.size() > kMostChildren) {
    object.insert(QStringLiteral("children_left_out"), children.size() - kMostChildren);
    children.resize(kMostChildren);
  }
  QJsonArray told;
  for (QAccessibleInterface* child : std::as_const(children))
    told.append(elementTree(child, depth - 1));
  if (!told.isEmpty()) object.insert(QStringLiteral("children"), told);
  return object;
}

QList<QAccessibleInterface*> shownWindows() {
  QWidgetList windows = QApplication::topLevelWidgets();
  windows.removeIf([](QWidget* window) { return !window->isVisible(); });
  std::stable_sort(windows.begin(), windows.end(), [](const QWidget* a, const QWidget* b) {
    const auto rank = [](const QWidget* window) {
      return window == QApplication::activePopupWidget() ? 0 : window->isActiveWindow() ? 1 : 2;
    };
    return rank(a) < rank(b);
  });
  Elements elements;
  for (QWidget* window : std::as_const(windows))
    if (QAccessibleInterface* element = QAccessible::queryAccessibleInterface(window))
      elements.append(element);
  return elements;
}

tl::expected<QAccessibleInterface*, RpcError> findElement(const QJsonValue& path) {
  const QJsonArray steps = path.isArray() ? path.toArray() : QJsonArray{path};
  if (steps.isEmpty() || steps.size() > kMostSteps)
    return rpcFail(RpcError::kInvalidParams,
                   QStringLiteral("\"element\" has no steps, or more than %1.").arg(kMostSteps),
                   QStringLiteral("Give a list of names from the outside in."));
  Elements level = shownWindows();
  QAccessibleInterface* found = nullptr;
  for (const QJsonValue value : steps) {
    const auto step = parseStep(value);
    if (!step) return tl::unexpected<RpcError>(step.error());
    if (found) {
      level.clear();
      addChildren(found, &level);
    }
    const Elements matches = nearest(level, *step);
    if (matches.isEmpty())
      return rpcFail(RpcError::kNotFound,
                     QStringLiteral("No element %1 can be seen.").arg(step->text()),
                     QStringLiteral("\"tree\" lists what there is."));
    if (matches.size() > 1)
      return rpcFail(
          RpcError::kNotFound,
          QStringLiteral("%1 elements are %2.").arg(matches.size()).arg(step->text()),
          QStringLiteral("Add a role, an object name, or a step that is around only one."));
    found = matches.first();
  }
  return found;
}

tl::expected<ElementPlace, RpcError> placeOf(QAccessibleInterface* element) {
  const QRect rect = element->rect();
  QWidget* widget = nullptr;
  for (QAccessibleInterface* each = element; each && !widget; each = each->parent())
    widget = qobject_cast<QWidget*>(each->object());
  const QPoint middle = rect.center();
  if (!widget || rect.isEmpty() || !widget->isVisible() || !widget->window()->windowHandle() ||
      !widget->rect().contains(widget->mapFromGlobal(middle)))
    return rpcFail(
        RpcError::kNotPossible,
        QStringLiteral("The element \"%1\" is not in sight.").arg(element->text(QAccessible::Name)),
        QStringLiteral("Open or scroll what it is in."));
  return ElementPlace{widget, widget->mapFromGlobal(middle)};
}

}  // namespace waferpair::gui
