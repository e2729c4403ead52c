// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/catalog.h"

#include <iomanip>
#include <iostream>
#include <sstream>
#include <vector>

#include "runtime/wafer/estimate/calibration.h"
#include "runtime/wafer/machine/aggregates.h"
#include "runtime/wafer/plan/layout.h"
#include "runtime/waferctl/wafer_flags.h"

namespace waferpair::waferctl {
namespace {

void printRowHead(std::ostream& out) {
  out << "    " << std::left << std::setw(9) << "phase" << std::setw(16) << "model" << std::setw(9)
      << "grid" << std::right << std::setw(8) << "tokens" << std::setw(16) << "published t/s"
      << std::setw(12) << "estimated" << std::setw(10) << "error"
      << "\n";
}

std::string published(const wafer::CalibrationRow& row) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << row.tokensPerSecond;
  if (row.most > 0) text << "-" << row.most;
  return text.str();
}

std::string gridText(const wafer::CalibrationRow& row) {
  return row.planned ? "planned" : sizeText(row.grid);
}

base::Result<void> printRow(const wafer::Calibration& data, const wafer::CalibrationRow& row,
                            const wafer::Machine& machine, const wafer::Profile& profile,
                            std::ostream& out) {
  const auto speed = wafer::estimatedTokensPerSecond(data, row, machine, profile);
  if (!speed) return tl::unexpected(speed.error());
  out << "    " << std::left << std::setw(9) << phaseName(row.phase) << std::setw(16)
      << row.shape.name << std::setw(9) << gridText(row) << std::right << std::setw(8)
      << row.context << std::fixed << std::setprecision(1) << std::setw(16) << published(row)
      << std::setw(12) << *speed << std::showpos << std::setprecision(2) << std::setw(8)
      << 100 * errorOf(row, *speed) << std::noshowpos << " %\n";
  if (!row.note.empty()) out << "      " << row.note << "\n";
  return {};
}

base::Result<void> printCalibration(const wafer::Profile& profile, std::ostream& out) {
  if (!wafer::hasCalibration(profile.name)) {
    line(out, "  calibrated on") << "nothing: no measurement of it is published\n";
    return {};
  }
  const auto data = wafer::findCalibration(profile.name);
  if (!data) return tl::unexpected(data.error());
  const auto machine = wafer::findMachine(data->machine);
  if (!machine) return tl::unexpected(machine.error());
  line(out, "  calibrated on") << data->source << "\n";
  printRowHead(out);
  for (const auto& row : data->rows) {
    if (auto ok = printRow(*data, row, *machine, profile, out); !ok) return ok;
  }
  if (!data->validation.empty()) line(out, "  checked against") << "what nothing is fitted to\n";
  for (const auto& row : data->validation) {
    if (auto ok = printRow(*data, row, *machine, profile, out); !ok) return ok;
  }
  for (const wafer::LeftOut& left : data->leftOut) {
    line(out, "  not fitted to") << left.model << ", " << left.tokensPerSecond
                                 << " tokens/s: " << left.why << "\n";
  }
  return {};
}

base::Result<void> printProfile(const std::string& name, std::ostream& out) {
  const auto profile = wafer::findProfile(name);
  if (!profile) return tl::unexpected(profile.error());
  out << profile->name << ": " << profile->title << "\n"
      << std::defaultfloat << std::setprecision(6);
  line(out, "  source") << profile->source << "\n";
  line(out, "  wafer") << profile->machine << " at " << profile->clockGhz << " GHz"
                       << (profile->isDefault ? ", whose default it is" : "")
                       << (profile->extrapolated ? "; EXTRAPOLATED" : "") << "\n";
  const wafer::DecodeConstants& d = profile->decode;
  line(out, "  decode") << "lanes " << d.lanes << ", issue " << d.issue << ", stage " << d.stage
                        << ", hop " << d.hop << ", wavelet " << d.perWavelet << " cycles\n";
  const wafer::PrefillConstants& p = profile->prefill;
  line(out, "  prefill") << "lanes " << p.lanes << ", issue " << p.issue << ", step " << p.step
                         << ", wavelet " << p.perWavelet << " cycles\n";
  if (const wafer::Speculation& s = profile->speculation; s.draft > 0) {
    line(out, "  speculation") << "drafts of " << s.draft << " tokens, each right with probability "
                               << s.acceptance
                               << " where those before it were: " << s.tokensPerStep()
                               << " tokens a step\n";
  }
  if (auto ok = printCalibration(*profile, out); !ok) return ok;
  for (const std::string& what : profile->notModeled) line(out, "  not modeled") << what << "\n";
  return {};
}

void printFact(std::ostream& out, const wafer::Machine& machine, const char* name, const char* key,
               const std::string& value) {
  const auto source = machine.sources.find(key);
  line(out, name) << std::left << std::setw(27) << value << std::right << " "
                  << (source == machine.sources.end() ? "" : source->second) << "\n";
}

// A line for each aggregate: the vendor's, the model's at each clock, and the clock that makes them
// agree.
void printAggregates(std::ostream& out, const wafer::Machine& machine) {
  line(out, "  as a whole") << std::left << std::setw(50) << "" << std::right << std::setw(10)
                            << "vendor";
  for (const double clock : machine.clocksGhz) {
    std::ostringstream at;
    at << clock << " GHz";
    out << std::setw(11) << at.str();
  }
  out << std::setw(10) << "implies"
      << "\n";
  const auto first = wafer::aggregatesOf(machine, machine.clocksGhz.front());
  for (std::size_t i = 0; i < first.size(); ++i) {
    const wafer::Aggregate& a = first[i];
    const std::string label = a.unit.empty() ? a.label : a.label + ", " + a.unit;
    const int digits = a.unit.empty() ? 0 : 1;
    line(out, "") << std::left << std::setw(50) << label << std::right << std::fixed
                  << std::setprecision(digits) << std::setw(10);
    if (a.published) {
      out << *a.published;
    } else {
      out << "-";
    }
    for (const double clock : machine.clocksGhz)
      out << std::setw(11) << wafer::aggregatesOf(machine, clock)[i].modelled;
    if (a.impliedGhz) out << std::setw(6) << std::setprecision(2) << *a.impliedGhz << " GHz";
    out << (a.remark.empty() ? "" : "  " + a.remark) << "\n";
    line(out, "") << "  " << a.source << "\n";
  }
  out << std::defaultfloat << std::setprecision(6);
}

}  // namespace

base::Result<void> printMachines(std::ostream& out) {
  const char* gap = "";
  for (const std::string& name : wafer::machineNames()) {
    const auto m = wafer::findMachine(name);
    if (!m) return tl::unexpected(m.error());
    const auto number = [](double value, const char* unit) {
      std::ostringstream text;
      text << value << unit;
      return text.str();
    };
    out << gap << name << ": " << m->title << "\n";
    gap = "\n";
    printFact(out, *m, "  fabric", "fabric_width",
              wafer::sizeText({m->fabricWidth, m->fabricHeight}) + " = " +
                  std::to_string(m->peCount()) + " PEs");
    printFact(out, *m, "  dies", "dies_x",
              std::to_string(m->diesX) + " x " + std::to_string(m->diesY));
    printFact(out, *m, "  SRAM of a PE", "sram_bytes", number(m->sramBytes, " bytes"));
    printFact(out, *m, "  its ports", "sram_bytes_per_cycle",
              number(m->sramBytesPerCycle, " bytes a cycle"));
    printFact(out, *m, "  lanes", "lanes", number(m->lanes, " of FP16"));
    printFact(out, *m, "  hop", "hop_cycles", number(m->hopCycles, " cycle"));
    printFact(out, *m, "  ramp", "ramp_cycles", number(m->rampCycles, " cycles"));
    printFact(out, *m, "  colors", "colors", number(m->colors, ""));
    printFact(out, *m, "  power", "power_watts", number(m->powerWatts / 1000, " kW"));
    printFact(out, *m, "  links", "io_bits_per_second",
              number(m->ioBitsPerSecond / 1e12, " Tb/s off the wafer"));
    printFact(out, *m, "  next wafer", "wafer_hop_seconds",
              number(m->waferHopSeconds * 1e6, " us"));
    std::string clocks;
    for (const double clock : m->clocksGhz)
      clocks += (clocks.empty() ? "" : ", ") + number(clock, "");
    printFact(out, *m, "  clocks", "clocks_ghz", clocks + " GHz");
    printAggregates(out, *m);
  }
  return {};
}

base::Result<void> printShapes(std::ostream& out) {
  out << std::left << std::setw(20) << "shape" << std::right << std::setw(10) << "weights"
      << std::setw(10) << "a token" << std::setw(8) << "layers" << std::setw(8) << "width"
      << std::setw(9) << "context"
      << "  source\n";
  for (const std::string& name : wafer::shapeNames()) {
    const auto shape = wafer::findShape(name);
    if (!shape) return tl::unexpected(shape.error());
    out << std::left << std::setw(20) << name << std::right << std::fixed << std::setprecision(1)
        << std::setw(9) << shape->parameters() / 1e9 << "B" << std::setw(9)
        << shape->activeParameters() / 1e9 << "B" << std::setw(8) << shape->layers << std::setw(8)
        << shape->hiddenSize << std::setw(9) << shape->maxContext << "  " << shape->source << "\n";
  }
  return {};
}

base::Result<void> printProfiles(std::ostream& out) {
  const char* gap = "";
  for (const std::string& name : wafer::profileNames()) {
    out << gap;
    gap = "\n";
    if (auto ok = printProfile(name, out); !ok) return ok;
  }
  return {};
}

base::Result<void> printPublished(std::ostream& out) {
  out << "Speeds of wafers that were published, beside what the profile made for them gives. "
         "\"fitted\": "
         "its constants\nwere chosen by that row; \"check\": nothing was. The published figures "
         "are "
         "others' measurements and\nclaims; ours are emulated.\n\n";
  out << std::left << std::setw(16) << "profile" << std::setw(9) << "phase" << std::setw(17)
      << "model" << std::right << std::setw(8) << "tokens" << std::setw(16) << "published t/s"
      << std::setw(12) << "estimated" << std::setw(10) << "error"
      << "  is\n";
  std::vector<std::string> remarks;
  for (const std::string& name : wafer::profileNames()) {
    if (!wafer::hasCalibration(name)) continue;
    const auto profile = wafer::findProfile(name);
    if (!profile) return tl::unexpected(profile.error());
    const auto data = wafer::findCalibration(name);
    if (!data) return tl::unexpected(data.error());
    const auto machine = wafer::findMachine(data->machine);
    if (!machine) return tl::unexpected(machine.error());
    for (const auto* rows : {&data->rows, &data->validation}) {
      for (const wafer::CalibrationRow& row : *rows) {
        const auto speed = wafer::estimatedTokensPerSecond(*data, row, *machine, *profile);
        if (!speed) return tl::unexpected(speed.error());
        out << std::left << std::setw(16) << name << std::setw(9) << phaseName(row.phase)
            << std::setw(17) << row.shape.name << std::right << std::setw(8) << row.context
            << std::fixed << std::setprecision(1) << std::setw(16) << published(row)
            << std::setw(12) << *speed << std::showpos << std::setw(8) << 100 * errorOf(row, *speed)
            << std::noshowpos << " %" << (rows == &data->rows ? "  fitted" : "  check") << "\n";
        if (!row.note.empty()) {
          std::ostringstream remark;
          remark << row.shape.name << ", " << published(row) << ": " << row.note;
          remarks.push_back(remark.str());
        }
      }
    }
    for (const wafer::FirstToken& row : data->firstTokens) {
      const auto range = wafer::estimatedFirstToken(row, *machine, *profile);
      if (!range) return tl::unexpected(range.error());
      out << std::left << std::setw(16) << name << std::setw(9) << "first" << std::setw(17)
          << row.shape.name << std::right << std::setprecision(3) << "  published " << row.seconds
          << " s, estimated " << range->least << " s for a prompt of "
          << wafer::FirstTokenRange::kShortest << " tokens to " << range->most << " s for "
          << wafer::FirstTokenRange::kLongest << "\n";
      if (!row.note.empty()) remarks.push_back(row.shape.name + ", first token: " + row.note);
    }
    for (const wafer::LeftOut& left : data->leftOut)
      remarks.push_back(left.model + ", " + left.tokensPerSecond + ": not compared; " + left.why);
  }
  out << "\n";
  for (const std::string& remark : remarks) out << "  " << remark << "\n";
  return {};
}

void addCatalogCommands(CLI::App& app) {
  auto add = [&app](const char* name, const char* says,
                    base::Result<void> (*print)(std::ostream&)) {
    app.add_subcommand(name, says)->callback([name, print] {
      const auto ok = print(std::cout);
      if (ok) return;
      std::cerr << "waferctl " << name << ": " << ok.error().message() << "\n";
      throw CLI::RuntimeError(1);
    });
  };
  add("machines",
      "The wafers: facts with sources, and the vendor's figures beside what the PEs add up to",
      printMachines);
  add("shapes", "The model shapes that estimate and place know by name", printShapes);
  add("profiles", "The kernel profiles: constants, and errors on the published figures",
      printProfiles);
  add("published", "Every published speed of a wafer beside what comes out, also those missed",
      printPublished);
}

}  // namespace waferpair::waferctl
