// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of the program.
#pragma once

#include <QCommandLineOption>
#include <QList>
#include <QString>
#include <QStringList>

namespace waferpair::gui {

struct Options {
  QStringList targets;     // folders, files, FILE:LINE, FILE:LINE:COL
  QString model;           // GGUF file; empty: the usual one
  bool newWindow = false;  // without targets nothing is opened, not even what was open last
  bool diff = false;       // compare the two files that are the targets
  bool merge = false;      // merge the first three targets into the fourth
  QString apply;  // put the answer on standard input into this file's text, without a window
  QString tour;   // drive the program through a tour and save its pictures here
  int tourSeconds = 120;      // after which the tour has failed
  bool automation = false;    // let other programs of the user drive this one
  QString automationSocket;   // where; empty: the usual place
  QString profile;            // configuration and state below this folder instead of the user's own
  bool trust = false;         // what is opened is trusted, until the program ends
  bool reproducible = false;  // the same input gives the same pictures
  bool runtime = true;
  bool help = false;
  bool version = false;
  bool listCommands = false;
  bool listSettings = false;
  bool settingsSchema = false;
  QString error;          // empty, or what is wrong with the arguments
  bool wait = false;      // return when the targets are closed again
  int handedOver = -1;    // the descriptor of a connection to who waits; -1: none
  bool describe = false;  // print all of these options as JSON
};

QString programDescription();
// How the arguments that are no options are written.
QString targetSyntax();
// All options that --help tells of, in its order.
QList<QCommandLineOption> programOptions();

// `arguments` begins with the program's name. Needs no application object.
Options parseOptions(const QStringList& arguments);

// Returns the text of --help; needs an application object.
QString helpText();

}  // namespace waferpair::gui
