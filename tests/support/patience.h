// SPDX-License-Identifier: GPL-3.0-or-later
// How long a test waits for what it expects: Qt's 5 seconds are too few beside a build, or under a
// sanitizer. What comes sooner is not waited for, so this costs nothing where a test passes.
#pragma once

#include <QTest>

#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT(expression, 30'000)
#define QTRY_VERIFY2(expression, message) QTRY_VERIFY2_WITH_TIMEOUT(expression, message, 30'000)
#define QTRY_COMPARE(expression, expected) QTRY_COMPARE_WITH_TIMEOUT(expression, expected, 30'000)
