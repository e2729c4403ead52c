// SPDX-License-Identifier: GPL-3.0-or-later
// How often a suggestion of some probability is right. The product of what the model gave each
// token says which of two texts is likelier, but not how often a text is right: that depends on the
// place. The map from one to the other was fitted on commits of projects that the model has not
// seen, by training/calibrate.py, which writes calibration.cpp's numbers.
#pragma once

#include <string_view>

namespace waferpair::inference {

// The kinds of place, by the text left of the cursor in its line; as the editor tells them apart
// (editor/assist/suggestion_gate.h).
enum class PlaceKind {
  kLineStart,  // nothing but blanks
  kMember,     // behind ".", "->" or "::"
  kWord,       // behind a letter, a digit, an underscore or what is beyond ASCII
  kElsewhere,
};

// `prefix`: the text left of the cursor, of its line at least.
PlaceKind placeKind(std::string_view prefix);

// Returns how often what has this probability is right there. Rises with it; 0 and 1 stay.
double calibrated(PlaceKind place, double probability);
// The other way round.
double uncalibrated(PlaceKind place, double certainty);

}  // namespace waferpair::inference
