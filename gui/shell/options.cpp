// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/options.h"

#include <QCommandLineParser>

namespace waferpair::gui {
namespace {

QString id16(const char* text) { return QString::fromLatin1(text); }

void describe(QCommandLineParser& parser) {
  parser.setApplicationDescription(
      id16("Waferpair: pair programming with a model that runs on an emulated wafer."));
  parser.addPositionalArgument(id16("target"), id16("A folder, or a file to open at a place."),
                               id16("[FOLDER | FILE[:LINE[:COLUMN]]]..."));
  parser.addOptions({
      {id16("model"), id16("Use this model (GGUF)."), id16("FILE")},
      {id16("apply"),
       id16("Without a window: put the changes of a model's answer, read from standard input, into "
            "the text of FILE, and write the result to standard output. Ends with 1 if some had no "
            "place, with 2 if FILE or the answer cannot be read."),
       id16("FILE")},
      {id16("tour"), id16("Drive the program through a tour; save pictures and figures in DIR."),
       id16("DIR")},
      {id16("tour-seconds"), id16("Let the tour take at most this long (default 120)."), id16("N")},
      {id16("automation"),
       id16("Let your other programs drive this one over a socket (waferctl ide; "
            "docs/automation.md).")},
      {id16("automation-socket"), id16("The same, at this path."), id16("FILE")},
      {id16("reproducible"),
       id16("Give the same pictures for the same input: nothing moves by itself, the clock stands "
            "still, the model works on one thread, and figures of host time are left out.")},
      {id16("no-runtime"), id16("Do not start the model: an editor without suggestions.")},
      {id16("new-profile"), id16("Keep settings and state below DIR, apart from your own."),
       id16("DIR")},
      {id16("list-commands"), id16("Print the table of all commands in Markdown and end.")},
      {{id16("h"), id16("help")}, id16("Say this and end.")},
      {{id16("v"), id16("version")}, id16("Say the version and end.")},
  });
}

}  // namespace

Options parseOptions(const QStringList& arguments) {
  QCommandLineParser parser;
  describe(parser);
  Options options;
  if (!parser.parse(arguments)) {
    options.error = parser.errorText();
    return options;
  }
  options.targets = parser.positionalArguments();
  options.model = parser.value(id16("model"));
  options.apply = parser.value(id16("apply"));
  options.tour = parser.value(id16("tour"));
  if (parser.isSet(id16("tour-seconds"))) {
    bool isNumber = false;
    options.tourSeconds = parser.value(id16("tour-seconds")).toInt(&isNumber);
    if (!isNumber || options.tourSeconds < 1) {
      options.error = id16("--tour-seconds needs a number of seconds.");
    }
  }
  options.automationSocket = parser.value(id16("automation-socket"));
  options.automation = parser.isSet(id16("automation")) || parser.isSet(id16("automation-socket"));
  options.profile = parser.value(id16("new-profile"));
  options.reproducible = parser.isSet(id16("reproducible"));
  options.runtime = !parser.isSet(id16("no-runtime"));
  options.help = parser.isSet(id16("help"));
  options.listCommands = parser.isSet(id16("list-commands"));
  options.version = parser.isSet(id16("version"));
  if (parser.isSet(id16("tour")) && !options.runtime) {
    options.error = id16("--tour shows suggestions, which --no-runtime switches off.");
  }
  return options;
}

QString helpText() {
  QCommandLineParser parser;
  describe(parser);
  return parser.helpText();
}

}  // namespace waferpair::gui
