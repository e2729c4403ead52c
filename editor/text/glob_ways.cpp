// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/glob_ways.h"

#include <algorithm>
#include <vector>

namespace waferpair::editor {
namespace {

constexpr double kEnough = 1e12;    // more is as much
constexpr double kOfASection = 30;  // each is compiled
// The library takes a longer line for several.
constexpr qsizetype kLongestLine = 4000;

// The ways so far, and the stars on the longest of them: each later one has a part of the path
// less to choose from.
struct Ways {
  double ways = 1;
  int stars = 0;

  // A star that may end in so many places.
  void addStar(double places) {
    ++stars;
    ways = std::min(kEnough, ways * (places + stars) / stars);
  }
};

// A brace that is open, with the ways of its alternatives so far.
struct Braces {
  Ways before;
  double sum = 0;
  int stars = 0;

  void end(const Ways& alternative) {
    sum = std::min(kEnough, sum + alternative.ways);
    stars = std::max(stars, alternative.stars);
  }
};

}  // namespace

double globWays(QByteArrayView glob, QByteArrayView path) {
  const auto length = static_cast<double>(path.size());
  const auto slashes = static_cast<double>(std::count(path.begin(), path.end(), '/'));
  double longest = 0;  // of the names in the path
  for (qsizetype at = 0; at <= path.size();) {
    const qsizetype end = std::max(path.indexOf('/', at), qsizetype(-1));
    const qsizetype to = end < 0 ? path.size() : end;
    longest = std::max(longest, static_cast<double>(to - at));
    at = to + 1;
  }
  Ways now;
  // One without a slash is looked for in all folders.
  if (!glob.contains('/')) now.addStar(slashes);
  std::vector<Braces> open;
  for (qsizetype at = 0; at < glob.size(); ++at) {
    const auto isNext = [&](char c) { return at + 1 < glob.size() && glob[at + 1] == c; };
    switch (glob[at]) {
      case '\\':
        ++at;
        break;
      case '*':
        if (!isNext('*')) {
          now.addStar(longest);
          break;
        }
        ++at;
        now.addStar(isNext('/') ? slashes : length);
        break;
      case '.':  // {1..9} is a number
        if (isNext('.') && !open.empty()) now.addStar(longest);
        break;
      case '{':
        open.push_back({now});
        break;
      case ',':
        if (open.empty()) break;
        open.back().end(now);
        now = open.back().before;
        break;
      case '}':
        if (open.empty()) break;
        open.back().end(now);
        now = {open.back().sum, open.back().stars};
        open.pop_back();
        break;
      default:
        break;
    }
  }
  // A brace that is never closed counts as one that ends here.
  for (; !open.empty(); open.pop_back()) {
    open.back().end(now);
    now = {open.back().sum, open.back().stars};
  }
  return now.ways;
}

double editorConfigWays(QByteArrayView bytes, QByteArrayView path) {
  double ways = 0;
  for (qsizetype at = 0; at < bytes.size() && ways < kEnough;) {
    const qsizetype end = bytes.indexOf('\n', at);
    const QByteArrayView line = bytes.sliced(at, (end < 0 ? bytes.size() : end) - at).trimmed();
    at = end < 0 ? bytes.size() : end + 1;
    if (line.size() > kLongestLine) return kEnough;
    const qsizetype begin = line.startsWith("\xEF\xBB\xBF") ? 3 : 0;
    if (begin >= line.size() || line[begin] != '[') continue;
    const qsizetype last = line.lastIndexOf(']');
    const QByteArrayView glob =
        line.sliced(begin + 1, (last < begin ? line.size() : last) - begin - 1);
    ways += kOfASection + globWays(glob, path);
  }
  return ways;
}

}  // namespace waferpair::editor
