// SPDX-License-Identifier: CC0-1.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

struct TextStats {
  int lines = 0;
  int words = 0;
  int characters = 0;
};

// Counts what is in the text.
TextStats countText(const std::string& text);

// The words of the text, in lower case, in their order.
std::vector<std::string> splitWords(const std::string& text);

// How often each word comes.
std::map<std::string, int> countWords(const std::vector<std::string>& words);

// The words that come most often, the most frequent first.
std::vector<std::pair<std::string, int>> mostFrequent(const std::map<std::string, int>& counts,
                                                      int limit);
