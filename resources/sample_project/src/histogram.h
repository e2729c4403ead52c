// SPDX-License-Identifier: CC0-1.0
// How often each length occurs, and a picture of it for a terminal.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

class Histogram {
 public:
  // Lengths above `longest` are counted together in the last bin.
  explicit Histogram(int longest);

  void add(int length);
  void addAll(const std::vector<std::string>& words);

  int count(int length) const;
  int total() const { return total_; }
  int highest() const;

  // One row a length, the fullest `width` characters wide.
  void draw(std::ostream& out, int width) const;
  // "length,count" lines with a header.
  void writeCsv(std::ostream& out) const;

 private:
  std::vector<int> bins_;  // bins_[i] counts words of i + 1 letters
  int total_ = 0;
};
