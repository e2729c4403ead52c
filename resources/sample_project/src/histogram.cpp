// SPDX-License-Identifier: CC0-1.0
#include "histogram.h"

#include <algorithm>
#include <iomanip>
#include <ostream>

Histogram::Histogram(int longest) : bins_(std::max(1, longest), 0) {}

void Histogram::add(int length) {
  if (length < 1) {
    return;
  }
  const int last = static_cast<int>(bins_.size());
  bins_[std::min(length, last) - 1]++;
  total_++;
}

void Histogram::addAll(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    add(static_cast<int>(word.size()));
  }
}

int Histogram::count(int length) const {
  if (length < 1 || length > static_cast<int>(bins_.size())) {
    return 0;
  }
  return bins_[length - 1];
}

int Histogram::highest() const { return *std::max_element(bins_.begin(), bins_.end()); }

void Histogram::draw(std::ostream& out, int width) const {
  const int top = std::max(1, highest());
  for (size_t i = 0; i < bins_.size(); ++i) {
    const int bar = (bins_[i] * width + top - 1) / top;
    out << std::setw(3) << i + 1 << ' ' << std::string(bar, '#') << ' ' << bins_[i] << '\n';
  }
}

void Histogram::writeCsv(std::ostream& out) const {
  out << "length,count\n";
  for (size_t i = 0; i < bins_.size(); ++i) {
    out << i + 1 << ',' << bins_[i] << '\n';
  }
}
