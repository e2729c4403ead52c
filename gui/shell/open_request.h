// SPDX-License-Identifier: GPL-3.0-or-later
// What a command line asks a window to show, whether the window is this process' or one that runs
// already; and the greeting by which a window that runs says what it is. Both go over a local
// socket as a line of JSON.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <optional>

#include "gui/store/file_position.h"

namespace waferpair::gui {

struct Options;

struct OpenRequest {
  enum class Kind {
    kOpen,
    kDiff,   // of the two places
    kMerge,  // of the first three places into the fourth
  };
  Kind kind = Kind::kOpen;
  QList<FilePosition> places;  // absolute paths of files and folders
  bool wait = false;           // who asks wants to know when the files are closed again
  // By which the desktop lets another program bring its window to the front; empty: none.
  QString activation;

  bool operator==(const OpenRequest&) const = default;
};

// More, or a longer line, is no request of this program.
inline constexpr qsizetype kMostPlaces = 1000;
inline constexpr qsizetype kLongestOpenLine = 1 << 20;  // bytes

// The request of a command line; `problem` says what cannot be asked for.
OpenRequest requestOf(const Options& options, QString* problem);

// With a line feed at its end.
QByteArray openRequestLine(const OpenRequest& request);
// Nothing where the line is no such request.
std::optional<OpenRequest> parseOpenRequest(const QByteArray& line);

struct WindowGreeting {
  QString folder;           // that is open, absolute; empty: none
  bool isEmpty = false;     // nothing is open
  QStringList others = {};  // further folders of the window
};
QByteArray greetingLine(const WindowGreeting& greeting);
std::optional<WindowGreeting> parseGreeting(const QByteArray& line);

// The window that is to show it, of these, the one used last first: one that has one of the folders
// that are named, one whose folder holds the file, an empty one for a folder, else the one used
// last. -1: none of them, as a folder is opened in a window that has others only where it is added.
qsizetype chooseWindow(const OpenRequest& request, const QList<WindowGreeting>& windows);

}  // namespace waferpair::gui
