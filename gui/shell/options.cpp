// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/options.h"

#include <QCommandLineParser>

namespace waferpair::gui {
namespace {

QString latin(const char* text) { return QString::fromLatin1(text); }

// Not for people: the window that `--wait` starts is told so where it was asked for.
const char* const kHandedOver = "handed-over";
const char* const kDescribe = "describe-options";

QCommandLineOption hidden(const char* name, const char* value = "") {
  QCommandLineOption option(latin(name), {}, latin(value));
  option.setFlags(QCommandLineOption::HiddenFromHelp);
  return option;
}

void describe(QCommandLineParser& parser) {
  parser.setApplicationDescription(programDescription());
  parser.addPositionalArgument(latin("target"), latin("A folder, or a file to open at a place."),
                               targetSyntax());
  parser.addOptions(programOptions());
  parser.addOption(hidden(kHandedOver, "DESCRIPTOR"));
  parser.addOption(hidden(kDescribe));
}

}  // namespace

QString programDescription() {
  return latin("Waferpair: pair programming with a model that runs on an emulated wafer.");
}

QString targetSyntax() { return latin("[FOLDER | FILE[:LINE[:COLUMN]]]..."); }

QList<QCommandLineOption> programOptions() {
  return {
      {latin("model"), latin("Use this model (GGUF)."), latin("FILE")},
      {latin("new-window"),
       latin("Open what is named in a window of its own, and nothing else: without a name an empty "
             "one. Without this a window that is open already shows it.")},
      {latin("wait"),
       latin("Return when the files that are named are closed again: for programs that call an "
             "editor, as git does. Ends with 1 if the window is gone before that or, with --merge, "
             "if the result was not saved.")},
      {latin("diff"),
       latin("Compare two files, FILE FILE: the second can be edited beside the first.")},
      {latin("merge"), latin("Merge three files, BASE OURS THEIRS, into a fourth, which is opened "
                             "and not yet saved.")},
      {latin("apply"),
       latin(
           "Without a window: put the changes of a model's answer, read from standard input, into "
           "the text of FILE, and write the result to standard output. Ends with 1 if some had no "
           "place, with 2 if FILE or the answer cannot be read."),
       latin("FILE")},
      {latin("tour"), latin("Drive the program through a tour; save pictures and figures in DIR."),
       latin("DIR")},
      {latin("tour-seconds"), latin("Let the tour take at most this long (default 120)."),
       latin("N")},
      {latin("automation"),
       latin("Let your other programs drive this one over a socket (waferctl ide; "
             "docs/automation.md).")},
      {latin("automation-socket"), latin("The same, at this path."), latin("FILE")},
      {latin("trust"),
       latin("Trust each folder that is opened in this run, without remembering it: what it brings "
             "may be started (docs/trust.md). For programs that drive this one and know what they "
             "open.")},
      {latin("reproducible"),
       latin("Give the same pictures for the same input: nothing moves by itself, the clock stands "
             "still, the model works on one thread, and figures of host time are left out.")},
      {latin("no-runtime"), latin("Do not start the model: an editor without suggestions.")},
      {latin("new-profile"), latin("Keep settings and state below DIR, apart from your own."),
       latin("DIR")},
      {latin("list-commands"), latin("Print the table of all commands in Markdown and end.")},
      {latin("list-settings"), latin("Print the table of all settings in Markdown and end.")},
      {latin("settings-schema"), latin("Print the JSON schema of settings.json and end.")},
      {{latin("h"), latin("help")}, latin("Say this and end.")},
      {{latin("v"), latin("version")}, latin("Say the version and end.")},
  };
}

Options parseOptions(const QStringList& arguments) {
  QCommandLineParser parser;
  describe(parser);
  Options options;
  if (!parser.parse(arguments)) {
    options.error = parser.errorText();
    return options;
  }
  options.targets = parser.positionalArguments();
  options.model = parser.value(latin("model"));
  options.newWindow = parser.isSet(latin("new-window"));
  options.diff = parser.isSet(latin("diff"));
  if (options.diff && options.targets.size() != 2)
    options.error = latin("--diff needs the names of two files.");
  options.merge = parser.isSet(latin("merge"));
  if (options.merge && (options.targets.size() != 4 || options.diff))
    options.error = latin("--merge needs the names of four files: BASE OURS THEIRS OUT.");
  options.wait = parser.isSet(latin("wait"));
  if (options.wait && options.targets.isEmpty())
    options.error = latin("--wait needs the name of a file to wait for.");
  if (parser.isSet(latin(kHandedOver))) {
    bool isNumber = false;
    options.handedOver = parser.value(latin(kHandedOver)).toInt(&isNumber);
    if (!isNumber || options.handedOver < 3) options.error = latin("Wrong use of --handed-over.");
  }
  options.describe = parser.isSet(latin(kDescribe));
  options.apply = parser.value(latin("apply"));
  options.tour = parser.value(latin("tour"));
  if (parser.isSet(latin("tour-seconds"))) {
    bool isNumber = false;
    options.tourSeconds = parser.value(latin("tour-seconds")).toInt(&isNumber);
    if (!isNumber || options.tourSeconds < 1) {
      options.error = latin("--tour-seconds needs a number of seconds.");
    }
  }
  options.automationSocket = parser.value(latin("automation-socket"));
  options.automation =
      parser.isSet(latin("automation")) || parser.isSet(latin("automation-socket"));
  options.profile = parser.value(latin("new-profile"));
  options.trust = parser.isSet(latin("trust"));
  options.reproducible = parser.isSet(latin("reproducible"));
  options.runtime = !parser.isSet(latin("no-runtime"));
  options.help = parser.isSet(latin("help"));
  options.listCommands = parser.isSet(latin("list-commands"));
  options.listSettings = parser.isSet(latin("list-settings"));
  options.settingsSchema = parser.isSet(latin("settings-schema"));
  options.version = parser.isSet(latin("version"));
  if (parser.isSet(latin("tour")) && !options.runtime) {
    options.error = latin("--tour shows suggestions, which --no-runtime switches off.");
  }
  return options;
}

QString helpText() {
  QCommandLineParser parser;
  describe(parser);
  return parser.helpText();
}

}  // namespace waferpair::gui
