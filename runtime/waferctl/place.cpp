// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/place.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <memory>

#include "runtime/gguf/file.h"
#include "runtime/inference/model/compile.h"
#include "runtime/transformer/config.h"
#include "runtime/wafer/plan/kv_capacity.h"
#include "runtime/wafer/plan/load.h"
#include "runtime/wafer/plan/plan.h"
#include "runtime/waferctl/estimate_run.h"

namespace waferpair::waferctl {
namespace {

using wafer::Plan;
using wafer::Region;

bool isGguf(const std::string& path) {
  std::array<char, 4> magic{};
  std::ifstream(path, std::ios::binary).read(magic.data(), magic.size());
  return std::string_view(magic.data(), magic.size()) == "GGUF";
}

base::Result<wafer::ModelShape> readModel(const std::string& path) {
  if (!isGguf(path)) return wafer::loadShape(path);
  auto file = gguf::File::open(path);
  if (!file) return tl::unexpected(file.error());
  auto config = transformer::readConfig(*file);
  if (!config) return tl::unexpected(config.error());
  return inference::shapeOf(*config, *file);
}

struct Placed {
  WaferSetting setting;
  Plan plan;
  wafer::KvCapacity capacity;
  wafer::LoadTime load;
};

base::Result<Placed> place(const PlaceFlags& f) {
  auto shape = readModel(f.model);
  if (!shape) return tl::unexpected(shape.error());
  auto setting = settle(f.on, std::move(*shape));
  if (!setting) return tl::unexpected(setting.error());
  auto plan = wafer::plan(setting->shape, setting->machine, setting->profile, setting->options);
  if (!plan) return tl::unexpected(plan.error());
  const auto capacity =
      wafer::kvCapacity(plan->shape, plan->machine, plan->profile, plan->placement);
  wafer::LoadTime load = wafer::loadTimeOf(*plan);
  return Placed{std::move(*setting), std::move(*plan), capacity, std::move(load)};
}

nlohmann::ordered_json slicesJson(const Region& region) {
  auto json = nlohmann::ordered_json::array();
  for (const wafer::LayerSlice& slice : region.slices) {
    json.push_back({{"layer", slice.layer},
                    {"attention", slice.attention},
                    {"feed_forward_from", slice.from},
                    {"feed_forward_to", slice.to}});
  }
  return json;
}

void printJson(const Placed& placed, std::ostream& out) {
  const Plan& plan = placed.plan;
  const wafer::Placement& p = plan.placement;
  nlohmann::ordered_json json = settingJson(placed.setting);
  json["objective"] = objectiveName(placed.setting.options.objective);
  json["fabric"] = {plan.machine.fabricWidth, plan.machine.fabricHeight};
  json["context"] = p.context;
  json["chunk"] = p.chunk;
  json["kv_positions"] = {{"per_pe_row", placed.capacity.perRow},
                          {"balanced", placed.capacity.balanced()},
                          {"unbalanced", placed.capacity.unbalanced()}};
  json["wafers"] = p.wafers;
  json["replicas"] = p.replicas;
  json["layers_per_block"] = p.layersPerBlock;
  json["layers_cut"] = p.cut;
  json["load_bytes"] = placed.load.totalBytes();
  json["load_seconds"] = placed.load.seconds;
  json["used_pes"] = p.usedPes();
  json["regions"] = nlohmann::ordered_json::array();
  for (const Region& r : p.regions) {
    json["regions"].push_back({{"name", r.name},
                               {"wafer", r.wafer},
                               {"x", r.rect.x},
                               {"y", r.rect.y},
                               {"width", r.rect.width},
                               {"height", r.rect.height},
                               {"first_layer", r.firstLayer},
                               {"layers", r.layerCount},
                               {"slices", slicesJson(r)},
                               {"sram_bytes_per_pe", sramJson(r.sram)},
                               {"ops", nlohmann::ordered_json::array()}});
  }
  const wafer::CostModel model(plan.machine, plan.profile);
  for (const wafer::Op& op : plan.ops) {
    const wafer::Cycles cycles = model.at(op.decode, p.context, plan.gridOf(op));
    json["regions"][op.region]["ops"].push_back(
        {{"name", op.name},
         {"kind", opKindName(op.kind)},
         {"sram_bytes_per_pe", sramJson(op.sram)},
         {"compute_cycles_at_full_context", cycles.compute},
         {"fabric_cycles_at_full_context", cycles.fabric},
         {"wavelet_hops_at_full_context", cycles.wavelets}});
  }
  out << json.dump(2) << "\n";
}

char symbolOf(const Region& region, int block) {
  switch (region.kind) {
    case wafer::RegionKind::kEmbedding:
      return 'E';
    case wafer::RegionKind::kHead:
      return 'H';
    case wafer::RegionKind::kBlock:
      break;
  }
  return "0123456789abcdefghijklmnopqrstuvwxyz"[block % 36];
}

// Sets the cells of `map` whose middle lies in r, or all that r touches. Returns how many.
int paint(std::vector<std::string>& map, const wafer::Machine& machine, const wafer::Rect& r,
          char symbol, bool touched) {
  const double cellHeight = static_cast<double>(machine.fabricHeight) / map.size();
  const double cellWidth = static_cast<double>(machine.fabricWidth) / map[0].size();
  // The part of a cell that counts is all of it, or only its middle.
  const double marginY = touched ? 0 : cellHeight / 2, marginX = touched ? 0 : cellWidth / 2;
  int cells = 0;
  for (std::size_t y = 0; y < map.size(); ++y) {
    const double top = y * cellHeight + marginY, bottom = (y + 1) * cellHeight - marginY;
    for (std::size_t x = 0; x < map[y].size(); ++x) {
      const double left = x * cellWidth + marginX, right = (x + 1) * cellWidth - marginX;
      if (left >= r.x + r.width || right < r.x || top >= r.y + r.height || bottom < r.y) continue;
      map[y][x] = symbol;
      ++cells;
    }
  }
  return cells;
}

// One wafer, 64 columns wide, characters twice as high as wide; '.' has no region. What is too
// narrow to hold the middle of a cell is painted last, over its neighbors.
void printMap(const Plan& plan, int wafer, std::ostream& out) {
  constexpr int kColumns = 64;
  const int width = plan.machine.fabricWidth, height = plan.machine.fabricHeight;
  const int rows = std::max(1, height * kColumns / width / 2);
  std::vector<std::string> map(rows, std::string(kColumns, '.'));
  std::vector<std::pair<wafer::Rect, char>> narrow;
  int block = 0;
  for (const Region& region : plan.placement.regions) {
    const char symbol = symbolOf(region, block);
    block += region.kind == wafer::RegionKind::kBlock;
    if (region.wafer != wafer) continue;
    if (paint(map, plan.machine, region.rect, symbol, false) == 0) {
      narrow.push_back({region.rect, symbol});
    }
  }
  for (const auto& [rect, symbol] : narrow) paint(map, plan.machine, rect, symbol, true);
  out << "\nwafer " << wafer << " (" << width << "x" << height
      << " PEs): E embedding, 0.. blocks, H head\n";
  for (const std::string& row : map) out << row << "\n";
}

// "3..5": layers that are all here; "3+..5-": of 3 only the last part is here, of 5 only the first.
std::string layersText(const Region& r, const wafer::ModelShape& shape) {
  if (r.slices.empty()) return "-";
  const wafer::LayerSlice& first = r.slices.front();
  const wafer::LayerSlice& last = r.slices.back();
  std::string text = std::to_string(first.layer) + (first.attention ? "" : "+");
  if (r.layerCount > 1) text += ".." + std::to_string(last.layer);
  return text + (last.to == shape.columns(last.layer) ? "" : "-");
}

void printTable(const Placed& placed, std::ostream& out) {
  const Plan& plan = placed.plan;
  const wafer::Placement& p = plan.placement;
  printSetting(placed.setting, out);
  line(out, "placed on") << p.usedPes() << " PEs of " << p.wafers
                         << (p.wafers == 1 ? " wafer" : " wafers");
  if (p.replicas > 1) out << "; " << p.replicas << " such copies fit, this is the first";
  out << "\n";
  const wafer::KvCapacity& kv = placed.capacity;
  line(out, "context") << p.context << " positions; " << kv.perRow << " fit on each of " << kv.rows
                       << " rows of PEs, " << kv.balanced()
                       << " in all; without the shift that balances them " << kv.unbalanced()
                       << " of what is generated\n";
  line(out, "loading") << placed.load.totalBytes() / 1e9 << " GB over the links of all wafers, in "
                       << placed.load.seconds
                       << " s: " << placed.load.bytes[placed.load.slowest] / 1e9
                       << " GB of them to wafer " << placed.load.slowest << "\n\n";
  out << std::left << std::setw(12) << "region" << std::setw(7) << "wafer" << std::setw(14)
      << "place" << std::setw(10) << "PEs" << std::setw(9) << "layers" << std::right << std::setw(4)
      << "ops";
  for (int kind = 0; kind < wafer::kSramKinds; ++kind) {
    out << std::setw(13) << sramKindName(static_cast<wafer::SramKind>(kind));
  }
  out << "  (bytes of a PE)\n";
  std::vector<int> ops(p.regions.size());
  for (const wafer::Op& op : plan.ops) ++ops[op.region];
  for (std::size_t i = 0; i < p.regions.size(); ++i) {
    const Region& r = p.regions[i];
    const std::string layers = layersText(r, plan.shape);
    out << std::left << std::setw(12) << r.name << std::setw(7) << r.wafer << std::setw(14)
        << std::to_string(r.rect.x) + "," + std::to_string(r.rect.y) << std::setw(10)
        << std::to_string(r.rect.width) + "x" + std::to_string(r.rect.height) << std::setw(9)
        << layers << std::right << std::setw(4) << ops[i];
    for (std::int64_t bytes : r.sram.bytes) out << std::setw(13) << bytes;
    out << "\n";
  }
  for (int wafer = 0; wafer < p.wafers; ++wafer) printMap(plan, wafer, out);
}

}  // namespace

int runPlace(const PlaceFlags& flags, std::ostream& out, std::ostream& err) {
  const auto placed = place(flags);
  if (!placed) {
    err << "waferctl place: " << placed.error().message() << "\n";
    return 2;
  }
  flags.json ? printJson(*placed, out) : printTable(*placed, out);
  return 0;
}

CLI::App* addPlaceCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("place", "Where a model lies on the wafer");
  auto flags = std::make_shared<PlaceFlags>();
  command
      ->add_option("--shape,model", flags->model,
                   "GGUF file, name of a shape (\"waferctl shapes\"), SHAPE.json or config.json")
      ->required();
  flags->on.addTo(*command);
  command->add_flag("--json", flags->json, "print JSON");
  command->callback([flags] {
    if (int code = runPlace(*flags, std::cout, std::cerr)) throw CLI::RuntimeError(code);
  });
  return command;
}

}  // namespace waferpair::waferctl
