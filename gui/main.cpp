// SPDX-License-Identifier: GPL-3.0-or-later
// The program: reads the command line, puts the window up, and only then begins what takes time.
#include <pwd.h>
#include <unistd.h>

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <cstdio>
#include <memory>

#include "editor/text/path_bytes.h"
#include "gui/automation/automation_server.h"
#include "gui/automation/reproducible.h"
#include "gui/automation/tour.h"
#include "gui/client/runtime_host.h"
#include "gui/client/runtime_service.h"
#include "gui/kit/accessible_roles.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/theme.h"
#include "gui/model/runtime_memory.h"
#include "gui/project/workspace.h"
#include "gui/shell/apply_answer.h"
#include "gui/shell/hand_over.h"
#include "gui/shell/hand_over_server.h"
#include "gui/shell/main_window.h"
#include "gui/shell/open_request.h"
#include "gui/shell/option_table.h"
#include "gui/shell/options.h"
#include "gui/shell/orderly_end.h"
#include "gui/shell/shown_request.h"
#include "gui/shell/window_set.h"
#include "gui/store/app_paths.h"
#include "gui/store/folder_trust.h"
#include "gui/store/settings.h"
#include "gui/store/settings_reference.h"
#include "pairing/answers/answer_reader.h"
#include "runtime/base/crash_report.h"
#include "runtime/base/file_lock.h"
#include "runtime/base/private_folder.h"

namespace {

using namespace waferpair::gui;
namespace pairing = waferpair::pairing;

void describeProgram() {
  QCoreApplication::setApplicationName(QStringLiteral("waferpair"));
  QCoreApplication::setApplicationVersion(QStringLiteral(WAFERPAIR_VERSION));
  QGuiApplication::setDesktopFileName(QStringLiteral("waferpair"));
}

int applyFromInput(const QString& path) {
  QFile input;
  if (!input.open(stdin, QIODevice::ReadOnly)) return 2;
  const AppliedAnswer applied =
      applyAnswer(path, input.read(pairing::AnswerReader::kMostBytes + 1));
  QFile output;
  if (!output.open(stdout, QIODevice::WriteOnly) ||
      output.write(applied.result) != applied.result.size() || !output.flush()) {
    std::fputs("waferpair: the result could not be written.\n", stderr);
    return 2;
  }
  for (const QString& problem : applied.problems)
    std::fprintf(stderr, "waferpair: %s\n", qPrintable(problem));
  return static_cast<int>(applied.status);
}

// --help, --version, --apply and mistakes need no display. Returns the exit code, or -1 to go on.
int answerWithoutWindow(const Options& options, int argc, char** argv) {
  if (!options.error.isEmpty()) {
    std::fprintf(stderr, "waferpair: %s Try --help.\n", qPrintable(options.error));
    return 2;
  }
  const bool isAnswered = options.help || options.version || options.listSettings ||
                          options.settingsSchema || options.describe || !options.apply.isEmpty();
  if (!isAnswered) return -1;
  const QCoreApplication app(argc, argv);
  describeProgram();
  if (!options.apply.isEmpty() && !options.help && !options.version)
    return applyFromInput(options.apply);
  QString text = QStringLiteral("Waferpair %1\n").arg(QCoreApplication::applicationVersion());
  if (options.listSettings) text = settingsPage();
  if (options.settingsSchema) text = QString::fromUtf8(settingsSchema());
  if (options.describe) text = QString::fromUtf8(optionTable());
  if (options.help) text = helpText();
  std::fputs(text.toUtf8().constData(), stdout);
  return 0;
}

// A service or a container may start programs without it; what is kept would land in /.
void findHome() {
  if (!qEnvironmentVariableIsEmpty("HOME")) return;
  const passwd* account = ::getpwuid(::geteuid());
  if (account && account->pw_dir && *account->pw_dir == '/') qputenv("HOME", account->pw_dir);
}

// All that a window with a model offers. Nothing is started for it.
int listCommands(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QTemporaryDir profile;
  useProfile(profile.path());
  const QApplication app(argc, argv);
  describeProgram();
  RuntimeService runtime{RuntimeCommand()};
  const MainWindow window(AppPaths::forUser(), &runtime);
  std::fputs(qPrintable(commandTable(*window.parts().commands)), stdout);
  return 0;
}

// A crash leaves a report in the user's own folder (docs/guide/when-something-is-wrong.md). Called
// again once the platform is known.
void keepCrashReports() {
  const auto folder =
      waferpair::base::privateStateFolder(std::string(waferpair::base::kCrashFolder), "");
  if (!folder) return;
  const QString about = QStringLiteral("Program: Waferpair %1\nQt: %2, platform %3\n%4\n")
                            .arg(QStringLiteral(WAFERPAIR_VERSION), QLatin1String(qVersion()),
                                 qApp ? QGuiApplication::platformName() : QString(),
                                 QString::fromStdString(waferpair::base::systemFact()));
  waferpair::base::reportCrashes("waferpair", *folder, about.toStdString());
}

// Whether a window that runs already may do what is asked for: these are about how one runs.
bool mayShareWindow(const Options& options) {
  return !options.newWindow && options.tour.isEmpty() && !options.automation &&
         !options.reproducible && !options.trust && options.runtime && options.model.isEmpty();
}

// The arguments of a window that is started for somebody who waits. It has the same profile: that
// is in the environment.
QStringList argumentsForNewWindow(const Options& options) {
  QStringList arguments;
  if (!options.model.isEmpty())
    arguments += {QStringLiteral("--model"), QDir().absoluteFilePath(options.model)};
  if (!options.runtime) arguments += QStringLiteral("--no-runtime");
  if (options.reproducible) arguments += QStringLiteral("--reproducible");
  if (options.trust) arguments += QStringLiteral("--trust");
  if (options.automation) arguments += QStringLiteral("--automation");
  if (!options.automationSocket.isEmpty())
    arguments += {QStringLiteral("--automation-socket"), options.automationSocket};
  return arguments;
}

int runTour(const Options& options, MainWindow& window, RuntimeService* runtime) {
  TourOptions tourOptions;
  tourOptions.directory = options.tour;
  tourOptions.seconds = options.tourSeconds;
  tourOptions.project = options.targets.isEmpty() ? Tour::sampleProject() : options.targets.first();
  if (tourOptions.project.isEmpty()) {
    std::fputs("waferpair: the sample project is missing; name a folder for the tour.\n", stderr);
    return 1;
  }
  Tour tour(&window, runtime, tourOptions);
  QObject::connect(&window, &MainWindow::painted, &tour, [&] {
    window.start({tourOptions.project});
    tour.start();
  });
  QObject::connect(&tour, &Tour::finished, qApp, &QCoreApplication::exit);
  window.show();
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  QStringList arguments;
  for (int i = 0; i < argc; ++i) arguments.append(waferpair::editor::pathText(argv[i]));
  const Options options = parseOptions(arguments);
  if (const int code = answerWithoutWindow(options, argc, argv); code >= 0) return code;

  if (options.listCommands) return listCommands(argc, argv);
  findHome();
  // A tour leaves the user's own settings and session alone.
  std::unique_ptr<QTemporaryDir> tourProfile;
  if (!options.profile.isEmpty()) {
    useProfile(options.profile);
  } else if (!options.tour.isEmpty()) {
    tourProfile = std::make_unique<QTemporaryDir>();
    useProfile(tourProfile->path());
  }

  const AppPaths paths = AppPaths::forUser();
  const QString sockets = options.tour.isEmpty() ? windowSocketPrefix(paths) : QString();
  QString problem;
  const OpenRequest request = requestOf(options, &problem);
  if (!problem.isEmpty()) {
    std::fprintf(stderr, "waferpair: %s\n", qPrintable(problem));
    return 2;
  }
  std::unique_ptr<waferpair::base::FileLock> turn;
  if (options.handedOver < 0) {
    if (mayShareWindow(options)) {
      turn = takeTurn(sockets);
      if (const auto code = handOver(request, sockets)) return *code;
    }
    if (options.wait) {
      turn.reset();  // the window is another process
      return handOverToNew(request, argumentsForNewWindow(options));
    }
  }

  if (options.reproducible) beReproducible();
  keepCrashReports();
  QApplication app(argc, argv);
  keepCrashReports();
  describeProgram();
  installAccessibleRoles();
  {
    const Settings settings(paths);
    Theme::instance().setSize(settings.get().interfaceSize);
    Theme::instance().apply(preferredLook(settings.get()));
  }

  std::shared_ptr<RuntimeHost> host;
  if (options.runtime) {
    const QString model =
        options.model.isEmpty() ? QString() : QDir().absoluteFilePath(options.model);
    RuntimeCommand command = rememberedCommand(paths, model);
    command.reproducible = options.reproducible;
    host = std::make_shared<RuntimeHost>(command);
  }
  if (options.reproducible) QApplication::setCursorFlashTime(0);
  // The first window's; each has one, so that another start may choose among them.
  HandOverServer* handOverServer = nullptr;
  WindowSet windows(paths, host, [&](MainWindow* window) -> QObject* {
    if (options.reproducible) stopAnimations(window);
    // The tour shows a project of this program's own, or one that was named for it.
    if (options.trust || !options.tour.isEmpty()) window->parts().trust->trustAllForNow();
    if (!options.tour.isEmpty()) return nullptr;
    auto* server = new HandOverServer(window);
    if (!handOverServer) handOverServer = server;
    const QString wrong = sockets.isEmpty() ? QString() : server->listen(sockets);
    if (!wrong.isEmpty())
      std::fprintf(stderr, "waferpair: other starts will not find this window: %s\n",
                   qPrintable(wrong));
    QObject::connect(window, &MainWindow::restored, server, &HandOverServer::begin);
    return server;
  });
  const bool opensLast = options.targets.isEmpty() && !options.newWindow &&
                         options.handedOver < 0 && options.tour.isEmpty();
  MainWindow& window = *windows.makeFirst(opensLast);
  RuntimeService* runtime = windows.runtimeOf(&window);
  const OrderlyEnd orderlyEnd([&windows] { windows.keepEverything(); });
  Automation automation(&window, runtime);
  QObject::connect(&windows, &WindowSet::activeChanged, &automation, [&](MainWindow* active) {
    automation.follow(active, windows.runtimeOf(active));
  });
  AutomationServer automationServer(&automation);
  if (options.automation) {
    const QString wrong = automationServer.listen(options.automationSocket);
    if (!wrong.isEmpty()) {
      std::fprintf(stderr, "waferpair: %s\n", qPrintable(wrong));
      return 1;
    }
    const QJsonObject listening{{QStringLiteral("automation"), automationServer.path()}};
    std::puts(QJsonDocument(listening).toJson(QJsonDocument::Compact).constData());
    std::fflush(stdout);
  }
  if (!options.tour.isEmpty()) return runTour(options, window, runtime);
  if (options.handedOver >= 0 && !handOverServer->adopt(options.handedOver)) {
    std::fputs("waferpair: --handed-over names no connection.\n", stderr);
    return 2;
  }
  turn.reset();
  QObject::connect(&window, &MainWindow::painted, &window, [&] {
    const bool isEmpty = options.targets.isEmpty() && options.newWindow;
    if (options.handedOver >= 0 || isEmpty) {
      window.startEmpty();
    } else if (request.kind == OpenRequest::Kind::kOpen) {
      window.start(options.targets);
    } else {
      window.startEmpty();
      showRequest(&window, request);
    }
    handOverServer->begin();
  });
  window.show();
  return QApplication::exec();
}
