// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/automation/automation.h"

#include <QAction>
#include <QApplication>
#include <QBuffer>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QPixmap>
#include <QTimer>

#include "editor/text/save_file.h"
#include "gui/automation/element.h"
#include "gui/automation/input.h"
#include "gui/automation/state.h"
#include "gui/documents/document.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/shell/folder_flow.h"
#include "gui/shell/main_window.h"
#include "gui/store/file_position.h"

namespace waferpair::gui {
namespace {

using Name = QLatin1String;

constexpr int kActivationMs = 2000;
constexpr int kLookMs = 10;  // between two looks at what is waited for
// The number of looks in a row that must find nothing under way: what is in the event queue comes
// up between them.
constexpr int kIdleLooks = 3;
constexpr int kLongestWaitMs = 600'000;
constexpr int kUsualWaitMs = 30'000;
constexpr int kDeepest = 64;
constexpr int kMostPixels = 8192;
constexpr int kMostDegrees = 15 * 1000;

// The params of all methods. Texts are never longer: a whole file may be sent, no more.
namespace field {
constexpr std::size_t kMostText = 8 << 20;
constexpr std::size_t kMostPath = 4096;
constexpr base::Field kAt{.name = "at", .bytes = kMostText};
constexpr base::Field kAtOnce{.name = "at_once"};
constexpr base::Field kButton{.name = "button", .bytes = 16};
constexpr base::Field kColumn{
    .name = "column", .low = 1, .high = std::numeric_limits<int>::max(), .fallback = 1};
constexpr base::Field kCommand{.name = "command", .required = true, .bytes = kMostText};
constexpr base::Field kCompose{.name = "compose"};
constexpr base::Field kContains{.name = "contains", .bytes = kMostText};
constexpr base::Field kDepth{.name = "depth", .low = 1, .high = kDeepest, .fallback = kDeepest};
constexpr base::Field kElement{.name = "element"};
constexpr base::Field kEquals{.name = "equals"};
constexpr base::Field kFile{.name = "file", .bytes = kMostPath};
constexpr base::Field kHeight{.name = "height", .low = 1, .high = kMostPixels};
constexpr base::Field kKeys{.name = "keys", .required = true, .bytes = 100};
constexpr base::Field kLine{.name = "line", .low = 1, .high = std::numeric_limits<int>::max()};
constexpr base::Field kModifiers{.name = "modifiers", .bytes = 32};
constexpr base::Field kPath{.name = "path", .bytes = kMostPath};
constexpr base::Field kPathToOpen{.name = "path", .required = true, .bytes = kMostPath};
constexpr base::Field kText{.name = "text", .required = true, .bytes = kMostText};
constexpr base::Field kTimeoutMs{
    .name = "timeout_ms", .low = 0, .high = kLongestWaitMs, .fallback = kUsualWaitMs};
constexpr base::Field kTo{.name = "to", .bytes = kMostText};
constexpr base::Field kToElement{.name = "to_element"};
constexpr base::Field kWholeText{.name = "text"};  // whether it is told
constexpr base::Field kWidth{.name = "width", .low = 1, .high = kMostPixels};
constexpr base::Field kX{.name = "x", .low = -kMostDegrees, .high = kMostDegrees};
constexpr base::Field kY{.name = "y", .low = -kMostDegrees, .high = kMostDegrees};
}  // namespace field

RpcResult done() { return QJsonObject(); }

// Two whole numbers, or nothing.
std::optional<QPoint> pointOf(const QJsonValue& value) {
  const QJsonArray pair = value.toArray();
  if (pair.size() != 2 || !pair[0].isDouble() || !pair[1].isDouble()) return std::nullopt;
  const auto inRange = [](const QJsonValue& v) { return std::abs(v.toDouble()) <= 100'000; };
  if (!inRange(pair[0]) || !inRange(pair[1])) return std::nullopt;
  return QPoint(pair[0].toInt(), pair[1].toInt());
}

}  // namespace

// The widget and the point in it that a mouse event is meant for.
struct Automation::Target {
  QWidget* widget = nullptr;
  QPoint at;
};

// A "wait" that has not been answered yet.
struct Automation::Waiting {
  QJsonObject condition;  // empty: idle
  qint64 timeoutMs = 0;
  Reply reply;
  QElapsedTimer since;
  int idleLooks = 0;
};

const Automation::Method Automation::kMethods[] = {
    {"methods", &Automation::methods, "Lists these methods."},
    {"commands", &Automation::commands, "Lists the commands, with keys and whether they apply."},
    {"run", &Automation::run, "Runs a command by its id."},
    {"state", &Automation::state, "Tells what is open and shown, or one part of it."},
    {"text", &Automation::text, "Tells the whole text of a document."},
    {"key", &Automation::key, "Presses a key, or several chords one after the other."},
    {"type", &Automation::type, "Types a text, a key a character."},
    {"click", &Automation::click, "Clicks an element or a place."},
    {"doubleClick", &Automation::doubleClick, "Double-clicks an element or a place."},
    {"move", &Automation::move, "Moves the mouse over an element or a place."},
    {"drag", &Automation::drag, "Drags with the left button from one to another."},
    {"wheel", &Automation::wheel, "Turns the wheel over an element or a place."},
    {"tree", &Automation::tree, "Tells the accessible tree."},
    {"screenshot", &Automation::screenshot, "Saves or returns a picture of the window."},
    {"open", &Automation::open, "Opens a folder, or a file at a place."},
    {"resize", &Automation::resize, "Gives the main window another size."},
    {"quit", &Automation::quit, "Ends the program as its user would, or at once."},
};

Automation::Automation(MainWindow* window, RuntimeService* runtime, QObject* parent)
    : QObject(parent),
      window_(window),
      runtime_(runtime),
      idle_(std::make_unique<Idle>(window, runtime)) {}

Automation::~Automation() = default;

void Automation::follow(MainWindow* window, RuntimeService* runtime) {
  if (window == window_) return;
  window_ = window;
  runtime_ = runtime;
  idle_ = std::make_unique<Idle>(window, runtime);
}

void Automation::call(const RpcRequest& request, const Reply& reply) {
  JsonFields params(request.params);
  if (request.method == Name("wait")) return wait(params, reply);
  for (const Method& method : kMethods) {
    if (request.method != Name(method.name)) continue;
    const auto left = std::make_shared<Reply>(reply);
    const Reply once = [left](const RpcResult& result) {
      if (const Reply first = std::exchange(*left, {})) first(result);
    };
    underWay_ = once;
    const RpcResult result = (this->*method.run)(params);
    underWay_ = {};
    return once(result);
  }
  reply(rpcFail(RpcError::kUnknownMethod,
                QStringLiteral("There is no method \"%1\".").arg(request.method),
                QStringLiteral("\"methods\" lists those there are.")));
}

RpcResult Automation::methods(JsonFields& params) {
  if (const auto problem = wrongParams(params)) return tl::unexpected<RpcError>(*problem);
  QJsonArray list;
  for (const Method& method : kMethods)
    list.append(QJsonObject{{Name("name"), Name(method.name)}, {Name("help"), Name(method.help)}});
  list.append(QJsonObject{{Name("name"), Name("wait")},
                          {Name("help"), Name("Waits until the program is idle, or until a part "
                                              "of its state is as it should be.")}});
  return list;
}

RpcResult Automation::commands(JsonFields& params) {
  if (const auto problem = wrongParams(params)) return tl::unexpected<RpcError>(*problem);
  QJsonArray list;
  const CommandRegistry& registry = *window_->parts().commands;
  for (const Command* command : registry.commands()) {
    const QAction* action = registry.action(command->id);
    QJsonObject told{
        {Name("id"), command->id},
        {Name("title"), command->title()},
        {Name("help"), command->help},
        {Name("keys"), portableTexts(registry.keys(command->id)).join(QStringLiteral(" or "))},
        {Name("enabled"), action->isEnabled()}};
    if (action->isCheckable()) told.insert(Name("checked"), action->isChecked());
    list.append(told);
  }
  return list;
}

RpcResult Automation::run(JsonFields& params) {
  const QString id = params.text(field::kCommand);
  if (const auto problem = wrongParams(params)) return tl::unexpected<RpcError>(*problem);
  CommandRegistry& registry = *window_->parts().commands;
  if (!registry.find(id))
    return rpcFail(RpcError::kNotFound, QStringLiteral("There is no command \"%1\".").arg(id),
                   QStringLiteral("\"commands\" lists those there are."));
  bool isRun = false;
  press([&] { isRun = registry.run(id); });
  if (!isRun)
    return rpcFail(RpcError::kNotPossible,
                   QStringLiteral("The command \"%1\" does not apply now.").arg(id),
                   QStringLiteral("Most need an open document; \"commands\" says which do not."));
  return done();
}

RpcResult Automation::state(JsonFields& params) {
  const bool withText = params.boolean(field::kWholeText);
  const QString at = params.text(field::kAt);
  if (const auto problem = wrongParams(params)) return tl::unexpected<RpcError>(*problem);
  const QJsonValue found = valueAt(programState(*window_, runtime_, withText), at);
  if (found.isUndefined())
    return rpcFail(RpcError::kNotFound, QStringLiteral("The state has nothing at \"%1\".").arg(at),
                   QStringLiteral("\"at\" is a JSON pointer, such as /document/ghost."));
  return found;
}

RpcResult Automation::text(JsonFields& params) {
  const QString path = params.text(field::kPath);
  if (const auto problem = wrongParams(params)) return tl::unexpected<RpcError>(*problem);
  const auto* tabs = window_->parts().tabs;
  const Document* document = path.isEmpty() ? tabs->current() : tabs->documentAt(path);
  if (!document)
    return rpcFail(RpcError::kNotFound,
                   path.isEmpty() ? QStringLiteral("No document is open.")
                                  : QStringLiteral("%1 is not open.").arg(path),
                   QStringLiteral("\"open\" opens a file."));
  return documentJson(*document, true);
}

// Returns the widget that a person's keys go to: the pop-up, dialog or window in front.
QWidget* Automation::keyWindow() const {
  if (QWidget* popup = QApplication::activePopupWidget()) return popup;
  if (QWidget* modal = QApplication::activeModalWidget()) return modal;
  QWidget* active = QApplication::activeWindow();
  return active && active->windowHandle() ? active : window_;
}

// Shortcuts are for the window in front.
std::optional<RpcError> Automation::bringToFront(QWidget* window) {
  if (QApplication::activePopupWidget() || window->isActiveWindow()) return std::nullopt;
  window->activateWindow();
  QElapsedTimer since;
  since.start();
  while (!window->isActiveWindow() && !since.hasExpired(kActivationMs))
    QCoreApplication::processEvents(QEventLoop::AllEvents, kLookMs);
  if (window->isActiveWindow()) return std::nullopt;
  return RpcError(RpcError::kNotPossible,
                  {QStringLiteral("The window \"%1\" cannot be brought to the front.")
                       .arg(window->windowTitle()),
                   QStringLiteral("The desktop keeps it back: click into it, or use another "
                                  "display (Xvfb).")});
}

// What is pressed may open a dialog with an event loop of its own, which ends only once something
// more is pressed. The call is over as soon as such a loop runs.
void Automation::press(const std::function<void()>& act) {
  QTimer loopRuns;
  loopRuns.setSingleShot(true);
  connect(&loopRuns, &QTimer::timeout, this,
          [reply = std::exchange(underWay_, {})] { reply(done()); });
  loopRuns.start(0);
  act();
}

RpcResult Automation::key(JsonFields& params) {
  const QString keys = params.text(field::kKeys);
  const QKeySequence chords(keys, QKeySequence::PortableText);
  bool known = !chords.isEmpty();
  for (int i = 0; i < chords.count(); ++i) known = known && chords[i].key() != Qt::Key_unknown;
  if (!known)
    params.fail(field::kKeys, QStringLiteral("names no key."),
                QStringLiteral("Write it as \"Ctrl+Shift+P\", \"Return\" or \"Ctrl+M, Ctrl+S\"."));
  if (const auto problem = wrongParams(params)) return tl::unexpected<RpcError>(*problem);
  if (const auto problem = bringToFront(keyWindow())) return tl::unexpected<RpcError>(*problem);
  press([&] { input::pressKey(keyWindow(), chords); });
  return done();
}

RpcResult Automation::type(JsonFields& params) {
  const QString text = params.text(field::kText);
  const bool composed = params.boolean(field::kCompose);
  if (const auto problem = wrongParams(params)) return tl::unexpected<RpcError>(*problem);
  if (const auto problem = bringToFront(keyWindow())) return tl::unexpected<RpcError>(*problem);
  press([&] { composed ? input::compose(text) : input::type(keyWindow(), text); });
  return done();
}

// An element, or a place in the window in front; with both, a place in the element.
tl::expected<Automation::Target, RpcError> Automation::target(JsonFields& params,
                                                              const base::Field& element,
                                                              const base::Field& at) {
  const std::optional<QPoint> point = pointOf(params.value(at));
  if (params.has(at) && !point)
    params.fail(at, QStringLiteral("is not a place."),
                QStringLiteral("Give two whole numbers: [x, y]."));
  if (!params.has(element) && !params.has(at))
    params.fail(element, QStringLiteral("is missing."),
                QStringLiteral("Give an element, or a place as \"%1\".").arg(nameOf(at)));
  if (const auto problem = wrongParams(params)) return tl::unexpected<RpcError>(*problem);
  if (!params.has(element)) {
    QWidget* window = keyWindow();
    if (window->rect().contains(*point)) return Target{window, *point};
    return rpcFail(
        RpcError::kNotPossible,
        QStringLiteral("%1, %2 is outside the window.").arg(point->x()).arg(point->y()),
        QStringLiteral("It has %1 by %2 pixels.").arg(window->width()).arg(window->height()));
  }
  const auto found = findElement(params.value(element));
  if (!found) return tl::unexpected<RpcError>(found.error());
  const auto place = placeOf(*found);
  if (!place) return tl::unexpected<RpcError>(place.error());
  return Target{place->widget, point.value_or(place->middle)};
}

namespace {

// Reads modifiers written as "Ctrl+Shift"; none when the field is empty.
Qt::KeyboardModifiers modifiersOf(JsonFields& params) {
  Qt::KeyboardModifiers modifiers;
  const QString text = params.text(field::kModifiers);
  if (text.isEmpty()) return modifiers;
  const QList<std::pair<const char*, Qt::KeyboardModifier>> names = {{"Shift", Qt::ShiftModifier},
                                                                     {"Ctrl", Qt::ControlModifier},
                                                                     {"Alt", Qt::AltModifier},
                                                                     {"Meta", Qt::MetaModifier}};
  for (const QString& name : text.split(u'+')) {
    const auto it = std::find_if(names.begin(), names.end(),
                                 [&name](const auto& each) { return name == Name(each.first); });
    if (it == names.end()) {
      params.fail(field::kModifiers, QStringLiteral("has an unknown key."),
                  QStringLiteral("There are Shift, Ctrl, Alt and Meta, joined by +."));
      return {};
    }
    modifiers |= it->second;
  }
  return modifiers;
}

}  // namespace

RpcResult Automation::click(JsonFields& params) {
  const QString name = params.text(field::kButton);
  const Qt::MouseButton button = name.isEmpty() || name == Name("left") ? Qt::LeftButton
                                 : name == Name("right")                ? Qt::RightButton
                                 : name == Name("middle")               ? Qt::MiddleButton
                                                                        : Qt::NoButton;
  if (button == Qt::NoButton)
    params.fail(field::kButton, QStringLiteral("is not known."),
                QStringLiteral("There are left, right and middle."));
  const Qt::KeyboardModifiers modifiers = modifiersOf(params);
  const auto to = target(params, field::kElement, field::kAt);
  if (!to) return tl::unexpected<RpcError>(to.error());
  press([&] { input::click(to->widget, to->at, button, modifiers); });
  return done();
}

RpcResult Automation::doubleClick(JsonFields& params) {
  const auto to = target(params, field::kElement, field::kAt);
  if (!to) return tl::unexpected<RpcError>(to.error());
  press([&] { input::doubleClick(to->widget, to->at); });
  return done();
}

RpcResult Automation::move(JsonFields& params) {
  const auto to = target(params, field::kElement, field::kAt);
  if (!to) return tl::unexpected<RpcError>(to.error());
  input::moveMouse(to->widget, to->at);
  return done();
}

RpcResult Automation::drag(JsonFields& params) {
  // Both are read before either is looked for: a misspelt field is neither's.
  for (const base::Field& each : {field::kElement, field::kAt, field::kToElement, field::kTo})
    (void)params.has(each);
  const auto from = target(params, field::kElement, field::kAt);
  if (!from) return tl::unexpected<RpcError>(from.error());
  const auto to = target(params, field::kToElement, field::kTo);
  if (!to) return tl::unexpected<RpcError>(to.error());
  input::drag(from->widget, from->at, to->widget, to->at);
  return done();
}

RpcResult Automation::wheel(JsonFields& params) {
  const int x = params.small(field::kX);
  const int y = params.small(field::kY);
  const Qt::KeyboardModifiers modifiers = modifiersOf(params);
  const auto to = target(params, field::kElement, field::kAt);
  if (!to) return tl::unexpected<RpcError>(to.error());
  input::wheel(to->widget, to->at, {x, y}, modifiers);
  return done();
}

RpcResult Automation::tree(JsonFields& params) {
  const int depth = params.small(field::kDepth);
  const bool fromElement = params.has(field::kElement);
  if (const auto problem = wrongParams(params)) return tl::unexpected<RpcError>(*problem);
  if (fromElement) {
    const auto found = findElement(params.value(field::kElement));
    if (!found) return tl::unexpected<RpcError>(found.error());
    return elementTree(*found, depth);
  }
  QJsonArray windows;
  for (QAccessibleInterface* window : shownWindows()) windows.append(elementTree(window, depth));
  return windows;
}

// The widget of "element"; without one, the main window.
tl::expected<QWidget*, RpcError> Automation::widgetOf(JsonFields& params) {
  if (!params.has(field::kElement)) return window_;
  const auto found = findElement(params.value(field::kElement));
  if (!found) return tl::unexpected<RpcError>(found.error());
  const auto place = placeOf(*found);
  if (!place) return tl::unexpected<RpcError>(place.error());
  return place->widget;
}

RpcResult Automation::screenshot(JsonFields& params) {
  const QString file = params.text(field::kFile);
  (void)params.has(field::kElement);
  if (!file.isEmpty() && QDir::isRelativePath(file))
    params.fail(field::kFile, QStringLiteral("is not an absolute path."),
                QStringLiteral("This program's folder is not yours: begin with /."));
  if (const auto problem = wrongParams(params)) return tl::unexpected<RpcError>(*problem);
  const auto widget = widgetOf(params);
  if (!widget) return tl::unexpected<RpcError>(widget.error());
  const QPixmap picture = (*widget)->grab();
  QByteArray png;
  QBuffer buffer(&png);
  if (!buffer.open(QIODevice::WriteOnly) || !picture.save(&buffer, "PNG"))
    return rpcFail(RpcError::kInternal, QStringLiteral("The picture cannot be made."),
                   QStringLiteral("Is there a window?"));
  QJsonObject told{{Name("width"), picture.width()}, {Name("height"), picture.height()}};
  if (file.isEmpty()) {
    told.insert(Name("png"), QString::fromLatin1(png.toBase64()));
    return told;
  }
  if (const auto saved = editor::saveFile(file, png); !saved)
    return tl::unexpected<RpcError>(RpcError(RpcError::kNotPossible, saved.error()));
  told.insert(Name("file"), file);
  return told;
}

RpcResult Automation::open(JsonFields& params) {
  const QString path = params.text(field::kPathToOpen);
  const int line = params.small(field::kLine);
  const int column = params.small(field::kColumn);
  if (!path.isEmpty() && QDir::isRelativePath(path))
    params.fail(field::kPath, QStringLiteral("is not an absolute path."),
                QStringLiteral("This program's folder is not yours: begin with /."));
  if (const auto problem = wrongParams(params)) return tl::unexpected<RpcError>(*problem);
  if (!QFileInfo::exists(path))
    return rpcFail(RpcError::kNotFound, QStringLiteral("There is no %1.").arg(path),
                   QStringLiteral("Name a folder or file that is there."));
  if (QFileInfo(path).isDir()) {
    window_->parts().folders->open(path);
    return done();
  }
  Document* document = window_->parts().tabs->openFile(path);
  if (!document)
    return rpcFail(RpcError::kNotPossible, QStringLiteral("%1 cannot be opened.").arg(path),
                   QStringLiteral("A notice in the window says why: \"state\" at /notices."));
  if (line > 0) document->editor()->goToLine(line - 1, column - 1);
  return done();
}

RpcResult Automation::resize(JsonFields& params) {
  const auto width = static_cast<int>(params.integer(field::kWidth).value_or(window_->width()));
  const auto height = static_cast<int>(params.integer(field::kHeight).value_or(window_->height()));
  if (const auto problem = wrongParams(params)) return tl::unexpected<RpcError>(*problem);
  window_->resize(width, height);
  return QJsonObject{{Name("width"), window_->width()}, {Name("height"), window_->height()}};
}

RpcResult Automation::quit(JsonFields& params) {
  const bool atOnce = params.boolean(field::kAtOnce);
  if (const auto problem = wrongParams(params)) return tl::unexpected<RpcError>(*problem);
  // The answer goes out first.
  QTimer::singleShot(0, window_, [window = window_, atOnce] {
    if (!atOnce) {
      window->quit();
      return;
    }
    window->keepEverything();
    QCoreApplication::exit(0);
  });
  return done();
}

void Automation::wait(JsonFields& params, const Reply& reply) {
  auto waiting = std::make_shared<Waiting>();
  waiting->timeoutMs = params.small(field::kTimeoutMs);
  waiting->reply = reply;
  const QString at = params.text(field::kAt);
  if (params.has(field::kEquals) == params.has(field::kContains) && !at.isEmpty())
    params.fail(field::kAt, QStringLiteral("is given without what it should be."),
                QStringLiteral("Add \"equals\" (any JSON), or \"contains\" with a text."));
  if (at.isEmpty() && (params.has(field::kEquals) || params.has(field::kContains)))
    params.fail(field::kAt, QStringLiteral("is missing."),
                QStringLiteral("Give a JSON pointer into the state, such as /model/state."));
  const QString part = params.text(field::kContains);
  const QJsonValue whole = params.value(field::kEquals);
  if (const auto problem = wrongParams(params)) return reply(tl::unexpected<RpcError>(*problem));
  if (!at.isEmpty()) waiting->condition.insert(Name("at"), at);
  if (!whole.isUndefined()) waiting->condition.insert(Name("equals"), whole);
  if (!part.isEmpty()) waiting->condition.insert(Name("contains"), part);
  waiting->since.start();
  look(waiting);
}

void Automation::look(const std::shared_ptr<Waiting>& waiting) {
  const QJsonObject& condition = waiting->condition;
  QString nothing;
  bool fulfilled = false;
  if (condition.isEmpty()) {
    const QStringList busy = idle_->busyWith();
    waiting->idleLooks = busy.isEmpty() ? waiting->idleLooks + 1 : 0;
    fulfilled = waiting->idleLooks >= kIdleLooks;
    nothing = QStringLiteral("The program is not idle: %1.").arg(busy.join(QLatin1String(", ")));
  } else {
    const QString at = condition.value(Name("at")).toString();
    const QJsonValue found = valueAt(programState(*window_, runtime_, false), at);
    const QString part = condition.value(Name("contains")).toString();
    fulfilled =
        part.isEmpty() ? found == condition.value(Name("equals")) : found.toString().contains(part);
    if (!fulfilled && waiting->since.hasExpired(waiting->timeoutMs))
      nothing = QStringLiteral("%1 is not as it should be, but %2.")
                    .arg(at, QString::fromUtf8(
                                 QJsonDocument(QJsonArray{found}).toJson(QJsonDocument::Compact)));
  }
  if (fulfilled) return waiting->reply(QJsonObject{{Name("waited_ms"), waiting->since.elapsed()}});
  if (waiting->since.hasExpired(waiting->timeoutMs))
    return waiting->reply(
        rpcFail(RpcError::kTimeout, nothing, QStringLiteral("Give a longer \"timeout_ms\".")));
  QTimer::singleShot(kLookMs, this, [this, waiting] { look(waiting); });
}

}  // namespace waferpair::gui
