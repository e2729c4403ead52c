// SPDX-License-Identifier: GPL-3.0-or-later
// Small regions for the tests of the mesh.
#pragma once

#include <QtTest>
#include <string>
#include <utility>
#include <vector>

#include "runtime/mesh/mesh.h"

namespace waferpair::test {

inline mesh::Config meshConfig(int width, int height = 1) {
  mesh::Config config;
  config.width = width;
  config.height = height;
  return config;
}

inline mesh::Task meshTask(std::string name, std::vector<mesh::Instruction> code,
                           mesh::Task::Trigger trigger = mesh::Task::Trigger::Start,
                           int color = 0) {
  mesh::Task task;
  task.name = std::move(name);
  task.trigger = trigger;
  task.color = color;
  task.code = std::move(code);
  return task;
}

// Fails the test with the error's words.
template <typename T>
T taken(base::Result<T> result) {
  if (!result) qFatal("%s", result.error().message().c_str());
  return std::move(*result);
}
inline void done(base::Result<void> result) {
  if (!result) qFatal("%s", result.error().message().c_str());
}

inline QString text(const base::Error& error) { return QString::fromStdString(error.message()); }

}  // namespace waferpair::test
