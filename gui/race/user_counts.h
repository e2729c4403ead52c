// SPDX-License-Identifier: GPL-3.0-or-later
// How many tokens a second all users together get from a contender, by how many they are: GPUs
// share the weights that they read, a wafer has its users follow one another. No widgets.
#pragma once

#include <QString>
#include <QVector>
#include <array>

namespace waferpair::gui {

// Users at once: every second power of two.
inline constexpr std::array<int, 6> kUserCounts{1, 4, 16, 64, 256, 1024};

struct UsersLine {
  int lane = 0;  // its number, from 1
  // The rate of all users together, for each of kUserCounts; 0: not known, or no room for so many.
  std::array<double, kUserCounts.size()> tokensPerSecond{};
};

// A sentence a pair of lanes, about who gives all users more, and from how many users on the other
// does. Empty without two lanes of which something is known.
QString crossoverText(const QVector<UsersLine>& lines);
// "12,300", three digits that count.
QString usersRateText(double tokensPerSecond);

}  // namespace waferpair::gui
