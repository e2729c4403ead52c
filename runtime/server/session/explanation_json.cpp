// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/server/session/explanation_json.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "runtime/protocol/messages.h"

namespace waferpair::server {
namespace {

namespace field = protocol::field;

using wafer::Axis;
using wafer::CostPart;

// A float may be a little above what it stands for.
double share(float probability) { return std::clamp<double>(probability, 0, 1); }

std::string textOf(const tokenizer::Tokenizer& tokenizer, std::int32_t token) {
  return tokenizer.isEnd(token) ? std::string() : std::string(tokenizer.bytes(token));
}

Json productJson(const CostPart& part, std::int64_t positions, const wafer::Grid& grid) {
  namespace field = field::product;
  const Axis down = part.gemv.reduce, over = wafer::across(down);
  const auto held = [&](int size, Axis axis) {
    return size > 0 ? wafer::ceilDiv(size, pesAlong(grid, axis))
                    : wafer::ceilDiv(positions, grid.height);
  };
  return {{field::kK, part.gemv.k > 0 ? part.gemv.k : positions},
          {field::kN, part.gemv.n > 0 ? part.gemv.n : positions},
          {field::kAlongX, down == Axis::kX},
          {field::kTileRows, held(part.gemv.k, down)},
          {field::kTileColumns, held(part.gemv.n, over)},
          {field::kTimes, part.times}};
}

Json reduceJson(const CostPart& part, std::int64_t positions, const wafer::Grid& grid,
                const wafer::Profile& profile) {
  namespace field = field::reduce;
  const int cores = pesAlong(grid, part.axis), groups = profile.groups(cores);
  return {{field::kAlongX, part.axis == Axis::kX},
          {field::kCores, cores},
          {field::kGroups, groups},
          {field::kStages, wafer::allReduceStages(cores, groups)},
          {field::kElements,
           part.elements > 0 ? part.elements : wafer::ceilDiv(positions, grid.height)},
          {field::kTimes, part.times}};
}

// As mesh::KvRows deals positions out: `context` are there before the token's own.
Json kvJson(int context, int rows) {
  namespace field = field::kv_rows;
  const int top = context % rows;
  return {{field::kRows, rows},
          {field::kLeast, (context + 1) / rows},
          {field::kFuller, (context + 1) % rows},
          {field::kTop, top},
          {field::kEntry, context < rows ? top : rows - 1}};
}

Json stallsJson(const mesh::CoreCounters& cores) {
  namespace field = field::stalls;
  return {{field::kBusy, cores.busy},
          {field::kWavelet, cores.waitWavelet},
          {field::kOutput, cores.outputFull},
          {field::kBank, cores.bankConflict}};
}

// What cores do, in words, each once.
class Instructions {
 public:
  explicit Instructions(const mesh::Program& program) : program_(program) {}

  std::size_t of(const mesh::Event& event) {
    if (event.doing.state == mesh::Doing::State::Idle) return 0;
    const auto& code =
        program_
            .codes[static_cast<std::size_t>(program_.codeOf[static_cast<std::size_t>(event.pe)])];
    const mesh::Instruction& in = code[static_cast<std::size_t>(event.doing.task)]
                                      .code[static_cast<std::size_t>(event.doing.instruction)];
    std::string words = mesh::name(in.op);
    words += " " + std::to_string(in.length * in.repeat);
    using Kind = mesh::Operand::Kind;
    for (const mesh::Operand* from : {&in.a, &in.b})
      if (from->kind == Kind::FabricIn) words += ", from color " + std::to_string(from->color);
    if (in.to.kind == Kind::FabricOut)
      words += (in.to.isControl ? ", control wavelet on color " : ", to color ") +
               std::to_string(in.to.color);
    const auto [found, isNew] = index_.try_emplace(words, texts_.size());
    if (isNew) texts_.push_back(words);
    return found->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  const mesh::Program& program_;
  std::map<std::string, std::size_t> index_;
  std::vector<std::string> texts_;
};

// Three integers for each.
Json eventsJson(const std::vector<mesh::Event>& events, Instructions& instructions) {
  Json::array_t flat;
  flat.reserve(3 * events.size());
  for (const mesh::Event& event : events) {
    flat.emplace_back(event.cycle);
    flat.emplace_back(event.pe);
    if (event.isHop) {
      flat.emplace_back(-1 - static_cast<int>(event.port) - mesh::kPorts * event.color);
    } else {
      flat.emplace_back(static_cast<std::size_t>(event.doing.state) + 4 * instructions.of(event));
    }
  }
  return Json(std::move(flat));
}

constexpr std::uint32_t kMostCycles = 1u << 20;
constexpr std::size_t kMostEvents = std::size_t{1} << 18;
constexpr int kMostWords = 16;
constexpr std::size_t kMostAlternatives = 5;

}  // namespace

std::size_t tokenAt(const tokenizer::Tokenizer& tokenizer,
                    std::span<const inference::TokenRecord> records, std::int64_t byte) {
  std::size_t last = 0;
  std::int64_t end = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::string text = textOf(tokenizer, records[i].token);
    if (text.empty()) continue;
    last = i;
    end += static_cast<std::int64_t>(text.size());
    if (byte < end) break;
  }
  return last;
}

Json recordJson(const tokenizer::Tokenizer& tokenizer,
                std::span<const inference::TokenRecord> records, std::size_t token,
                std::int64_t typedBytes) {
  namespace told = field::token_explained;
  Json pieces = Json::array();
  std::int64_t at = -typedBytes;
  for (const inference::TokenRecord& record : records) {
    const std::string text = textOf(tokenizer, record.token);
    const std::int64_t end = at + static_cast<std::int64_t>(text.size());
    pieces.push_back(
        {{field::piece::kText, text}, {field::piece::kStart, at}, {field::piece::kEnd, end}});
    at = end;
  }
  const inference::TokenRecord& record = records[token];
  Json alternatives = Json::array();
  for (const inference::Alternative& one : record.considered.likeliest) {
    if (one.token < 0 || alternatives.size() == kMostAlternatives) break;
    alternatives.push_back({{field::alternative::kText, textOf(tokenizer, one.token)},
                            {field::alternative::kProbability, share(one.probability)},
                            {field::alternative::kChosen, one.token == record.token}});
  }
  const wafer::StepContext& context = record.step.context;
  return {{told::kToken, token},
          {told::kTokens, std::move(pieces)},
          {told::kDrafted, record.drafted},
          {told::kContested, record.contested},
          {told::kProbability, share(record.considered.probability)},
          {told::kNetwork, share(record.considered.network)},
          {told::kAlternatives, std::move(alternatives)},
          {told::kStep,
           {{field::step::kRows, context.tokens},
            {field::step::kRow, record.row},
            {field::step::kContext, context.context},
            {field::step::kDrafted, context.drafted},
            {field::step::kAccepted, context.accepted},
            {field::step::kLines, record.step.sequences},
            {field::step::kHostMs,
             std::chrono::duration<double, std::milli>(record.step.took).count()}}}};
}

Json chargesJson(std::span<const wafer::Charge> ops) {
  Json::array_t flat;
  flat.reserve(5 * ops.size());
  for (const wafer::Charge& op : ops) {
    flat.emplace_back(op.start);
    flat.emplace_back(op.end);
    flat.emplace_back(op.compute);
    flat.emplace_back(op.fabric);
    flat.emplace_back(op.wavelets);
  }
  return Json(std::move(flat));
}

Json opJson(const wafer::Plan& plan, std::size_t index, const wafer::ChargedStep& step, int row) {
  namespace told = field::op_explained;
  const wafer::Op& op = plan.ops[index];
  const wafer::Grid grid = plan.gridOf(op);
  const wafer::CostModel model(plan.machine, plan.profile);
  const bool gemm = step.gemm && !op.tail;
  const std::int64_t rows = step.context.tokens;
  const std::int64_t positions = std::int64_t{step.context.context} + (gemm ? rows : row + 1);
  const auto terms = gemm ? chunkTerms(model, op, rows, positions, grid)
                          : rowTerms(model, op, positions, grid, plan.clockGhz);
  Json json = {{told::kKind, opKindName(op.kind)},
               {told::kGemm, gemm},
               {told::kRows, rows},
               {told::kPositions, positions},
               {told::kCutout, !gemm && !op.parts.empty()},
               {told::kKv, nullptr}};
  Json& shown = json[told::kTerms.name] = Json::array();
  for (const wafer::Term& term : terms)
    shown.push_back({{field::term::kWhat, term.what},
                     {field::term::kForm, term.form},
                     {field::term::kNumbers, term.numbers},
                     {field::term::kCycles, term.cycles},
                     {field::term::kFabric, term.fabric}});
  const std::int64_t seen =
      op.window > 0 ? std::min<std::int64_t>(positions, op.window) : positions;
  Json products = Json::array(), reduces = Json::array();
  for (const CostPart& part : op.parts) {
    if (part.kind == CostPart::Kind::kGemv) products.push_back(productJson(part, seen, grid));
    if (part.kind == CostPart::Kind::kAllReduce)
      reduces.push_back(reduceJson(part, seen, grid, plan.profile));
  }
  json[told::kProducts.name] = std::move(products);
  json[told::kReduces.name] = std::move(reduces);
  const bool attends = op.kind == wafer::OpKind::kScore || op.kind == wafer::OpKind::kAttend;
  if (attends && op.sram[wafer::SramKind::kKv] > 0)
    json[told::kKv.name] = kvJson(step.context.context + row, grid.height);
  return json;
}

base::Result<CutoutRun> runOf(const CutoutOrder& order) {
  namespace told = field::cutout_ran;
  auto cutout = cutoutOf(order.machine, order.profile, order.wish);
  if (!cutout) return tl::unexpected(cutout.error());
  CutoutRun run{std::make_shared<const mesh::Cutout>(std::move(*cutout)), {}};
  auto mesh = load(*run.cutout);
  if (!mesh) return tl::unexpected(mesh.error());
  mesh::Recorder recorder(kMostEvents);
  const auto report = mesh->run(kMostCycles, &recorder);
  if (!report) return tl::unexpected(report.error());
  Instructions instructions(run.cutout->program);
  Json events = eventsJson(recorder.events(), instructions);
  run.told = {{told::kWidth, mesh->config().width},
              {told::kHeight, mesh->config().height},
              {told::kOfWidth, order.wish.region.width},
              {told::kOfHeight, order.wish.region.height},
              {told::kCycles, report->cycles},
              {told::kHops, report->hops},
              {told::kStalls, stallsJson(report->cores)},
              {told::kClosedForm, run.cutout->closedForm},
              {told::kInstructions, instructions.texts()},
              {told::kEvents, std::move(events)},
              {told::kDropped, recorder.dropped()}};
  return run;
}

base::Result<Json> sightOf(const mesh::Cutout& cutout, std::uint32_t cycle, int x, int y) {
  namespace told = field::cutout_seen;
  auto mesh = load(cutout);
  if (!mesh) return tl::unexpected(mesh.error());
  // That it has not ended in time is what is wanted.
  (void)mesh->run(std::min(cycle, kMostCycles));
  Json queues = Json::array(), switches = Json::array();
  for (const mesh::Waiting& queue : mesh->waitingAt(x, y))
    queues.push_back({{field::mesh_queue::kPort, queue.port},
                      {field::mesh_queue::kColor, queue.color},
                      {field::mesh_queue::kCount, queue.count},
                      {field::mesh_queue::kRoom, queue.room}});
  for (const mesh::SwitchState& one : mesh->switchesAt(x, y))
    switches.push_back({{field::mesh_switch::kColor, one.color},
                        {field::mesh_switch::kPosition, one.position},
                        {field::mesh_switch::kPositions, one.positions},
                        {field::mesh_switch::kFrom, one.from},
                        {field::mesh_switch::kTo, one.to}});
  const auto words = mesh->readHalves(x, y, cutout.words.address,
                                      std::min(kMostWords, static_cast<int>(cutout.words.length)));
  if (!words) return tl::unexpected(words.error());
  return Json{{told::kCycle, cycle},
              {told::kX, x},
              {told::kY, y},
              {told::kStalls, stallsJson(mesh->countersAt(x, y, cycle))},
              {told::kQueues, std::move(queues)},
              {told::kSwitches, std::move(switches)},
              {told::kWords, *words}};
}

}  // namespace waferpair::server
