// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>
#include <iostream>
#include <sstream>

#include "text_stats.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: word_counter FILE\n";
    return 2;
  }
  std::ifstream file(argv[1]);
  if (!file) {
    std::cerr << argv[1] << ": cannot be read\n";
    return 1;
  }
  std::ostringstream text;
  text << file.rdbuf();

  const TextStats stats = countText(text.str());
  std::cout << stats.lines << " lines, " << stats.words << " words, " << stats.characters
            << " characters\n";
  for (const auto& [word, count] : mostFrequent(countWords(splitWords(text.str())), 10)) {
    std::cout << count << "\t" << word << "\n";
  }
  return 0;
}
