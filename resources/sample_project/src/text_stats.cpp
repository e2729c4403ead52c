// SPDX-License-Identifier: CC0-1.0
#include "text_stats.h"

#include <algorithm>
#include <cctype>

TextStats countText(const std::string& text) {
  TextStats stats;
  stats.characters = static_cast<int>(text.size());
  for (char c : text) {
    if (c == '\n') stats.lines++;
  }
  stats.words = static_cast<int>(splitWords(text).size());
  return stats;
}

std::vector<std::string> splitWords(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

std::map<std::string, int> countWords(const std::vector<std::string>& words) {
  std::map<std::string, int> counts;
  for (const std::string& word : words) {
    counts[word]++;
  }
  return counts;
}

std::vector<std::pair<std::string, int>> mostFrequent(const std::map<std::string, int>& counts,
                                                      int limit) {
  std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.second > b.second; });
  if (static_cast<int>(sorted.size()) > limit) sorted.resize(limit);
  return sorted;
}
