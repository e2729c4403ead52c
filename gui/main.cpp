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

#include "gui/automation/automation_server.h"
#include "gui/automation/reproducible.h"
#include "gui/automation/tour.h"
#include "gui/client/runtime_service.h"
#include "gui/documents/compare_commands.h"
#include "gui/documents/merge_commands.h"
#include "gui/kit/accessible_roles.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/theme.h"
#include "gui/model/runtime_memory.h"
#include "gui/project/workspace.h"
#include "gui/shell/apply_answer.h"
#include "gui/shell/main_window.h"
#include "gui/shell/options.h"
#include "gui/shell/orderly_end.h"
#include "gui/store/app_paths.h"
#include "gui/store/settings.h"
#include "gui/store/settings_reference.h"
#include "pairing/answers/answer_reader.h"

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
                          options.settingsSchema || !options.apply.isEmpty();
  if (!isAnswered) return -1;
  const QCoreApplication app(argc, argv);
  describeProgram();
  if (!options.apply.isEmpty() && !options.help && !options.version)
    return applyFromInput(options.apply);
  QString text = QStringLiteral("Waferpair %1\n").arg(QCoreApplication::applicationVersion());
  if (options.listSettings) text = settingsPage();
  if (options.settingsSchema) text = QString::fromUtf8(settingsSchema());
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
  for (int i = 0; i < argc; ++i) arguments.append(QString::fromLocal8Bit(argv[i]));
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

  if (options.reproducible) beReproducible();
  QApplication app(argc, argv);
  describeProgram();
  installAccessibleRoles();
  const AppPaths paths = AppPaths::forUser();
  Theme::instance().apply(preferredLook(Settings(paths).get()));

  std::unique_ptr<RuntimeService> runtime;
  if (options.runtime) {
    const QString model =
        options.model.isEmpty() ? QString() : QDir().absoluteFilePath(options.model);
    RuntimeCommand command = rememberedCommand(paths, model);
    command.reproducible = options.reproducible;
    runtime = std::make_unique<RuntimeService>(command, rememberedShadow(paths));
  }
  if (options.reproducible) QApplication::setCursorFlashTime(0);
  MainWindow window(paths, runtime.get());
  if (options.reproducible) stopAnimations(&window);
  const OrderlyEnd orderlyEnd([&window] { window.keepEverything(); });
  Automation automation(&window, runtime.get());
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
  if (!options.tour.isEmpty()) return runTour(options, window, runtime.get());
  QObject::connect(&window, &MainWindow::painted, &window, [&] {
    const QStringList& targets = options.targets;
    if (!options.diff && !options.merge)
      return options.newWindow && targets.isEmpty() ? window.startEmpty() : window.start(targets);
    window.startEmpty();
    EditorTabs* tabs = window.parts().tabs;
    if (options.diff) return compareFiles(tabs, targets[0], targets[1]);
    mergeFiles(tabs, {targets[0], targets[1], targets[2], targets[3]});
  });
  window.show();
  return QApplication::exec();
}
