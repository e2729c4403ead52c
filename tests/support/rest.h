// SPDX-License-Identifier: GPL-3.0-or-later
// Rest instead of a wait: a test that expects nothing knows when nothing more can come. UI thread
// only.
#pragma once

#include <initializer_list>

class QObject;

namespace waferpair::test {

// Goes on until nothing is under way in the program's windows, in the application or below `more`:
// events, threads, requests over HTTP, what says itself that it is busy (editor/text/busy.h).
// Timers are not waited for: the next one fires at once, in the order in which they would have.
// Where there is no rest the test fails, and names what is left.
void rest(std::initializer_list<const QObject*> more = {});

// Deals with the events that are there and with those that they bring, and waits for nothing: of
// timers only those of 0 ms fire.
void dealWithEvents();

}  // namespace waferpair::test
