// SPDX-License-Identifier: CC0-1.0
#include <fstream>
#include <iostream>
#include <sstream>

#include "histogram.h"
#include "text_stats.h"

int main(int argc, char** argv) {
  const bool csv = argc == 3 && std::string(argv[1]) == "--csv";
  if (argc != 2 && !csv) {
    std::cerr << "usage: wordwise [--csv] FILE\n";
    return 2;
  }
  const std::string path = argv[argc - 1];
  std::ifstream file(path);
  if (!file) {
    std::cerr << path << ": cannot be read\n";
    return 1;
  }
  std::ostringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  const std::vector<std::string> words = splitWords(text);

  Histogram lengths(16);
  lengths.addAll(words);
  if (csv) {
    lengths.writeCsv(std::cout);
    return 0;
  }
  const TextStats stats = countText(text);
  std::cout << stats.lines << " lines, " << stats.words << " words, " << stats.characters
            << " characters\n\n";
  for (const auto& [word, count] : mostFrequent(countWords(words), 10)) {
    std::cout << count << "\t" << word << "\n";
  }
  std::cout << "\nletters a word\n";
  lengths.draw(std::cout, 40);
  return 0;
}
