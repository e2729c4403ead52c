// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl machines`, `shapes`, `profiles` and `published`: list what is compiled in, and how far
// it is to be trusted.
#pragma once

#include <CLI/CLI.hpp>
#include <iosfwd>

#include "runtime/base/result.h"

namespace waferpair::waferctl {

// Every machine: its facts with their sources, and what the vendor says of it as a whole beside
// what its PEs add up to at each clock.
base::Result<void> printMachines(std::ostream& out);
// Every shape: its size, its numbers, where they come from.
base::Result<void> printShapes(std::ostream& out);
// Every kernel profile with its constants, its error on each row it is fitted to, the published
// figures that it is not, and what it does not model.
base::Result<void> printProfiles(std::ostream& out);

// Every published speed of a wafer beside what the profile made for it gives, whether fitted to it
// or checked by it, and those that nothing can be compared with.
base::Result<void> printPublished(std::ostream& out);

void addCatalogCommands(CLI::App& app);

}  // namespace waferpair::waferctl
