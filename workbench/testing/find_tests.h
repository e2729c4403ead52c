// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the tests that a source file has, and where they stand, from its text alone: Qt Test,
// GoogleTest, pytest and unittest, Rust, Go, vitest and jest. Nothing is run. Any thread.
#pragma once

#include "workbench/testing/test_item.h"

namespace waferpair::workbench {

inline constexpr qsizetype kMostOfTestFile = 1 << 20;  // bytes; a larger one has no tests here

// Returns whether a file of this name may hold tests.
bool mayHoldTests(const QString& path);

// Returns the tests of a file's text. Looks at files around it: a class's header, Cargo.toml,
// package.json up to `folder`, the project's (absolute).
QVector<TestItem> findTests(const QString& path, const QByteArray& text, const QString& folder);

// -- The parts, for tests

// `header`: where the classes may be declared; may be empty.
QVector<TestItem> cppTests(const QByteArray& text, const QByteArray& header);
QVector<TestItem> pythonTests(const QString& path, const QByteArray& text);
// `root`: of the crate that the file is in; `modules`: what the file itself is in there.
QVector<TestItem> rustTests(const QString& root, const QStringList& modules,
                            const QByteArray& text);
QVector<TestItem> goTests(const QString& path, const QByteArray& text);
QVector<TestItem> scriptTests(const QString& path, TestFramework framework, const QByteArray& text);

// Returns the nearest folder from that of `path` up to `folder` that has a file of one of these
// names; empty: there is none.
QString folderWith(const QString& path, const QString& folder, const QStringList& names);

}  // namespace waferpair::workbench
