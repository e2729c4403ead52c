// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how fast this computer multiplies by weights as decode does, which is what a token
// takes: measured once, for about a second, and kept in a file with the computer's name.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace waferpair::waferctl {

class HostSpeed {
 public:
  struct Point {
    bool isFourBit = false;     // weights of 4 bits, else of 8
    double bytes = 0;           // that are gone through again and again
    double bytesPerSecond = 0;  // with as many threads as a model of that size has
  };

  explicit HostSpeed(std::vector<Point> points) : points_(std::move(points)) {}

  // The one in `file`, if it is this computer's and of these kernels; else a measured one, which is
  // kept there if that can be written.
  static HostSpeed find(const std::string& file);
  static HostSpeed measure();
  // Where it is kept: $XDG_CACHE_HOME/waferpair/host_speed.json; empty where there is no home.
  static std::string usualFile();

  const std::vector<Point>& points() const { return points_; }
  // Returns the tokens/s of a model that reads so many bytes a token, `fourBitShare` of them
  // weights of 4 bits; 0: not known. It is what the computer can do with nothing else to do, not
  // what it does while others work; docs/models.md says how far off it was.
  double tokensPerSecond(double bytesPerToken, double fourBitShare) const;

 private:
  double rate(bool isFourBit, double bytes) const;

  std::vector<Point> points_;
};

// As they are kept. Nothing where that is of another computer, of other kernels, or nonsense.
std::string writeHostSpeed(const HostSpeed& speed, const std::string& machine,
                           const std::string& kernels);
std::optional<HostSpeed> readHostSpeed(const std::string& json, const std::string& machine,
                                       const std::string& kernels);

}  // namespace waferpair::waferctl
