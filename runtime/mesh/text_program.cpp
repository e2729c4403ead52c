// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/mesh/text_program.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "runtime/mesh/text_ready.h"
#include "runtime/mesh/text_words.h"
#include "runtime/wafer/machine/machine.h"

namespace waferpair::mesh {
namespace {

struct TaskText {
  Task task;
  std::vector<int> pes;
  // Names of the tasks that instructions speak of, by instruction and field.
  struct Reference {
    std::size_t instruction = 0;
    enum class Field : std::uint8_t { kTask, kThen, kControl } field = Field::kTask;
    std::string name;
    int line = 0;
  };
  std::vector<Reference> references;
};

// Reads a text statement by statement.
class Parser : private TextWords {
 public:
  explicit Parser(std::string_view text) : TextWords(text) {}

  base::Result<TextProgram> parse() {
    while (!problem() && nextLine()) read();
    if (task_) fail("task \"" + task_->task.name + "\" has no end", "Write \"end\".");
    if (!config_) fail("the program has no region", "Begin with \"region W H\".");
    if (problem()) return tl::unexpected(*problem());
    return whole();
  }

 private:
  std::vector<int> pes() {
    if (!config_) {
      fail("PEs are named before there are any", "Begin with \"region W H\".");
      return {};
    }
    const IndexRange x = range("x", config_->width), y = range("y", config_->height);
    std::vector<int> all;
    if (problem()) return all;
    for (int row = y.first; row <= y.last; ++row)
      for (int column = x.first; column <= x.last; ++column)
        all.push_back(config_->peAt(column, row));
    return all;
  }

  void read() {
    const std::string_view kind = word("a statement");
    if (task_ && kind != "end") return instruction(kind);
    if (kind == "region") return region();
    if (!config_)
      return fail("\"" + std::string(kind) + "\" stands before the region",
                  "Begin with \"region W H\".");
    if (kind == "queues") {
      config_->linkDepth = integer("the depth at links", 1, kQueueRoom);
      config_->rampDepth = integer("the depth at ramps", 1, kQueueRoom);
    } else if (kind == "software") {
      software_ = integer("software", 0, 100000);
    } else if (kind == "data") {
      values(data_, true);
    } else if (kind == "expect") {
      values(expect_, true);
    } else if (kind == "print") {
      values(print_, false);
    } else if (kind == "task") {
      return task();
    } else if (kind == "end") {
      if (!task_) return fail("\"end\" ends nothing", "It stands behind a task's instructions.");
      tasks_.push_back(std::move(*task_));
      task_.reset();
    } else if (kind == "route") {
      return route();
    } else if (kind == "collective" || kind == "kernel") {
      ready_.push_back(statement());
      return;
    } else {
      return fail("there is no statement \"" + std::string(kind) + "\"",
                  "Known are region, queues, software, data, task, route, collective, kernel, "
                  "expect and print.");
    }
    noMore();
  }

  void region() {
    if (config_) return fail("the region is said twice", "Say it once, first.");
    const int width = integer("the width", 1, kMostTextPes);
    const int height = integer("the height", 1, kMostTextPes);
    std::string machine = "wse3";
    if (accept("on")) machine = std::string(word("a machine"));
    noMore();
    if (problem()) return;
    if (std::int64_t{width} * height > kMostTextPes)
      return fail("the region has " + std::to_string(std::int64_t{width} * height) + " PEs",
                  "At most " + std::to_string(kMostTextPes) + " are simulated.");
    const auto found = wafer::findMachine(machine);
    if (!found) return fail("there is no machine \"" + machine + "\"", found.error().remedy);
    const auto config = configFor(*found, width, height);
    if (!config) return fail(config.error().what, config.error().remedy);
    config_ = *config;
  }

  // "X Y TYPE@ADDRESS = 1 2 3", "X Y TYPE@ADDRESS 64 of pe", or with a count alone.
  void values(std::vector<Values>& to, bool given) {
    const std::vector<int> where = pes();
    const SramPlace at = place(word("a place"));
    if (problem()) return;
    if (at.stride != 1 || at.step != 0)
      return fail("values lie side by side", "Leave the stride away.");
    std::vector<float> list;
    std::string_view of;
    if (given && accept("=")) {
      while (more()) list.push_back(real(word("a value")));
      if (list.empty()) return fail("there are no values", "Write them behind \"=\".");
    } else {
      list.resize(static_cast<std::size_t>(integer("a count", 1, config_->sramBytes)));
      if (given && !accept("of"))
        return fail("it is not said of what", "Write \"= 1 2 3\" or \"64 of 0.5\".");
      if (given) of = word("a value");
    }
    valuesSoFar_ += list.size() * where.size();
    if (valuesSoFar_ > kMostTextValues)
      return fail("there are too many values", "At most " + std::to_string(kMostTextValues) + ".");
    const float fixed =
        of.empty() || of == "x" || of == "y" || of == "pe" || of == "index" ? 0 : real(of);
    for (const int pe : where) {
      Values one{pe % config_->width, pe / config_->width, at.type, at.address, list, line()};
      for (std::size_t i = 0; !of.empty() && i < one.values.size(); ++i) {
        one.values[i] = of == "x"       ? static_cast<float>(one.x)
                        : of == "y"     ? static_cast<float>(one.y)
                        : of == "pe"    ? static_cast<float>(pe)
                        : of == "index" ? static_cast<float>(i)
                                        : fixed;
      }
      to.push_back(std::move(one));
    }
  }

  int color(std::string_view from) { return integerOf(from, "the color", 0, config_->colors - 1); }

  void task() {
    TaskText text;
    text.task.name = std::string(word("a name"));
    text.pes = pes();
    if (accept("wavelet")) {
      text.task.trigger = Task::Trigger::Wavelet;
      text.task.color = color(word("a color"));
    } else if (accept("activated")) {
      text.task.trigger = Task::Trigger::Local;
    } else if (accept("control")) {
      text.task.trigger = Task::Trigger::Control;
    } else {
      accept("start");
    }
    text.task.blocked = accept("blocked");
    noMore();
    if (!problem()) task_ = std::move(text);
  }

  // f32@64/1/0, f32<3, f32>3, f32>3!, f32=1.5, f32^, control>3:advance,reset:TASK
  Operand operand() {
    const std::string_view from = word("an operand");
    const std::size_t sign = from.find_first_of("@<>=^");
    if (sign == std::string_view::npos) {
      fail("\"" + std::string(from) + "\" is no operand",
           "Write f32@64, f32<3, f32>3, f32=1.5 or f32^.");
      return {};
    }
    std::string_view rest = from.substr(sign + 1);
    if (from.substr(0, sign) == "control" && from[sign] == '>') return control(rest);
    const auto type = typeOf(from.substr(0, sign));
    if (!type) {
      fail("\"" + std::string(from) + "\" has no type", "Types are f16 and f32.");
      return {};
    }
    switch (from[sign]) {
      case '@': {
        const SramPlace at = place(from);
        return memory(at.address, at.type, at.stride, at.step);
      }
      case '<':
        return fabricIn(color(rest), *type);
      case '>': {
        const bool advance = rest.ends_with('!');
        if (advance) rest.remove_suffix(1);
        return fabricOut(color(rest), *type, advance);
      }
      case '=':
        return constant(real(rest), *type);
      default:
        if (!rest.empty()) fail("\"" + std::string(from) + "\" is no operand", "Write f32^.");
        return firingWavelet(*type);
    }
  }
  Operand control(std::string_view from) {
    const std::size_t colon = std::min(from.find(':'), from.size());
    const int on = color(from.substr(0, colon));
    std::string_view rest = from.substr(std::min(colon + 1, from.size()));
    const std::size_t name = std::min(rest.find(':'), rest.size());
    std::uint32_t commands = 0;
    std::string_view list = rest.substr(0, name);
    for (int shift = 0; !list.empty(); shift += 2) {
      const std::size_t comma = std::min(list.find(','), list.size());
      const std::string_view one = list.substr(0, comma);
      list = list.substr(std::min(comma + 1, list.size()));
      if (shift >= 16 || (one != "advance" && one != "reset" && one != "none")) {
        fail("\"" + std::string(one) + "\" is no command, or one too many",
             "Up to eight of advance, reset and none.");
        return {};
      }
      const Command command = one == "advance" ? Command::Advance
                              : one == "reset" ? Command::Reset
                                               : Command::None;
      commands |= static_cast<std::uint32_t>(command) << shift;
    }
    if (name < rest.size()) {
      task_->references.push_back({task_->task.code.size(), TaskText::Reference::Field::kControl,
                                   std::string(rest.substr(name + 1)), line()});
    }
    return controlOut(on, controlWavelet({}) | commands);
  }

  void instruction(std::string_view kind) {
    using Field = TaskText::Reference::Field;
    const std::size_t index = task_->task.code.size();
    Instruction in;
    if (kind == "activate" || kind == "block" || kind == "unblock") {
      in = kind == "activate" ? activate(0) : kind == "block" ? block(0) : unblock(0);
      task_->references.push_back({index, Field::kTask, std::string(word("a task")), line()});
    } else {
      constexpr Op kOps[] = {Op::Mov,  Op::Add, Op::Sub,        Op::Mul,  Op::Max,
                             Op::Fmac, Op::Exp, Op::Reciprocal, Op::Rsqrt};
      const auto* op = std::ranges::find_if(kOps, [&](Op o) { return name(o) == kind; });
      if (op == std::end(kOps))
        return fail("there is no instruction \"" + std::string(kind) + "\"",
                    "Known are mov, add, sub, mul, max, fmac, exp, reciprocal, rsqrt, activate, "
                    "block and unblock.");
      const bool two =
          *op == Op::Add || *op == Op::Sub || *op == Op::Mul || *op == Op::Max || *op == Op::Fmac;
      in.op = *op;
      in.to = operand();
      in.a = operand();
      if (two) in.b = operand();
      in.length = static_cast<std::uint32_t>(integer("the length", 1, 1 << 24));
      while (more() && !problem()) {
        if (accept("repeat")) {
          in.repeat = static_cast<std::uint32_t>(integer("repeat", 1, 1 << 24));
        } else if (accept("issue")) {
          in.issue = static_cast<std::uint32_t>(integer("issue", 0, 1 << 20));
        } else if (accept("thread")) {
          in.thread = integer("thread", 0, kMicrothreads - 1);
        } else if (accept("then")) {
          task_->references.push_back({index, Field::kThen, std::string(word("a task")), line()});
        } else {
          break;
        }
      }
    }
    noMore();
    task_->task.code.push_back(in);
  }

  // Ports up to a word that is none.
  PortMask ports(const char* what) {
    PortMask mask = 0;
    while (more()) {
      int port = 0;
      while (port < kPorts && name(static_cast<Port>(port)) != peek()) ++port;
      if (port == kPorts) break;
      mask = mask | static_cast<Port>(port);
      word(what);
    }
    if (mask == 0)
      fail(std::string(what) + " names no port", "Ports are north, east, south, west and ramp.");
    return mask;
  }
  void route() {
    const std::vector<int> where = pes();
    if (problem()) return;
    const int on = color(word("a color"));
    ColorRoute route;
    route.count = 0;
    do {
      const PortMask from = ports("where it comes from");
      if (!accept("->")) fail("there is no \"->\"", "Write it like \"west -> east ramp\".");
      const PortMask to = ports("where it goes");
      if (problem()) return;
      if (route.count == ColorRoute::kMaxPositions)
        return fail("the switch has too many positions", "A color has up to four.");
      route.positions[static_cast<std::size_t>(route.count++)] = {from, to};
    } while (accept("|"));
    route.ring = accept("ring");
    if (accept("first")) route.first = integer("first", 0, route.count - 1);
    if (accept("pop")) route.pop = Pop::Always;
    noMore();
    for (const int pe : where) routes_.push_back({pe, on, route});
  }

  // ---- the whole

  base::Result<TextProgram> whole() {
    auto program = ready_.empty() ? ofTasks() : ofReady();
    if (!program) return tl::unexpected(program.error());
    if (auto ok = validate(*program); !ok) return tl::unexpected(ok.error());
    TextProgram text{std::move(*program), std::move(data_), std::move(expect_), std::move(print_)};
    for (const auto* list : {&text.data, &text.expect, &text.print}) {
      for (const Values& values : *list) {
        const std::uint64_t end = values.address + values.values.size() * bytesOf(values.type);
        if (end <= static_cast<std::uint64_t>(text.program.config.sramBytes) &&
            values.address % bytesOf(values.type) == 0)
          continue;
        return base::fail("Line " + std::to_string(values.line) + ": bytes " +
                              std::to_string(values.address) + " to " + std::to_string(end) +
                              " are not in SRAM, or not at a multiple of an element's size.",
                          "A PE has " + std::to_string(text.program.config.sramBytes) + " bytes.");
      }
    }
    return text;
  }

  base::Result<Program> ofTasks() {
    Program program(*config_);
    std::map<int, std::vector<int>> tasksOf;  // by PE
    for (int id = 0; id < static_cast<int>(tasks_.size()); ++id)
      for (const int pe : tasks_[static_cast<std::size_t>(id)].pes) tasksOf[pe].push_back(id);
    std::map<std::vector<int>, int> codes;
    for (const auto& [pe, ids] : tasksOf) {
      const auto [code, added] = codes.try_emplace(ids, static_cast<int>(program.codes.size()));
      if (added) {
        auto made = codeOf(ids);
        if (!made) return tl::unexpected(made.error());
        program.codes.push_back(std::move(*made));
      }
      program.codeOf[static_cast<std::size_t>(pe)] = code->second;
    }
    program.routes = std::move(routes_);
    return program;
  }

  base::Result<Code> codeOf(const std::vector<int>& ids) {
    Code code;
    std::map<std::string, int> named;
    for (const int id : ids) {
      const TaskText& text = tasks_[static_cast<std::size_t>(id)];
      if (!named.try_emplace(text.task.name, static_cast<int>(code.size())).second)
        return base::fail("A PE has two tasks \"" + text.task.name + "\".", "Give them two names.");
      code.push_back(text.task);
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      for (const auto& reference : tasks_[static_cast<std::size_t>(ids[i])].references) {
        const auto found = named.find(reference.name);
        if (found == named.end())
          return base::fail("Line " + std::to_string(reference.line) + ": there is no task \"" +
                                reference.name + "\" beside this one.",
                            "Tasks are named among those of the same PE.");
        Instruction& in = code[i].code[reference.instruction];
        using Field = TaskText::Reference::Field;
        if (reference.field == Field::kTask) in.task = found->second;
        if (reference.field == Field::kThen) in.then = found->second;
        if (reference.field == Field::kControl)
          in.to.control = (in.to.control & 0xffffu) | controlWavelet({}, found->second);
      }
    }
    return code;
  }

  base::Result<Program> ofReady() {
    if (!tasks_.empty() || !routes_.empty())
      return base::fail("Line " + std::to_string(ready_.front().line) +
                            ": a program has collectives and kernels, or tasks and routes.",
                        "Write one of the two: colors would be given twice.");
    Builder builder(*config_, software_);
    for (const StatementText& ready : ready_) {
      returnTo(ready);
      readReady(*this, builder, data_, valuesSoFar_);
      if (problem()) return tl::unexpected(*problem());
    }
    return builder.finish();
  }

  std::optional<Config> config_;
  int software_ = 0;
  std::optional<TaskText> task_;  // whose instructions are being read
  std::vector<TaskText> tasks_;
  std::vector<PlacedRoute> routes_;
  std::vector<StatementText> ready_;
  std::vector<Values> data_, expect_, print_;
  std::size_t valuesSoFar_ = 0;
};

}  // namespace

base::Result<TextProgram> parseProgram(std::string_view text) {
  if (text.size() > kMostText)
    return base::fail("The program has more than " + std::to_string(kMostText) + " bytes.",
                      "Write it shorter; ranges stand for many PEs.");
  return Parser(text).parse();
}

base::Result<Mesh> load(const TextProgram& text) {
  auto mesh = Mesh::make(text.program);
  if (!mesh) return mesh;
  for (const Values& v : text.data) {
    auto written = v.type == Type::F16 ? mesh->writeHalves(v.x, v.y, v.address, v.values)
                                       : mesh->writeFloats(v.x, v.y, v.address, v.values);
    if (!written) return tl::unexpected(written.error());
  }
  return mesh;
}

base::Result<std::vector<float>> read(const Mesh& mesh, const Values& where) {
  const auto count = static_cast<int>(where.values.size());
  return where.type == Type::F16 ? mesh.readHalves(where.x, where.y, where.address, count)
                                 : mesh.readFloats(where.x, where.y, where.address, count);
}

base::Result<void> check(const TextProgram& text, const Mesh& mesh) {
  for (const Values& expected : text.expect) {
    const auto found = read(mesh, expected);
    if (!found) return tl::unexpected(found.error());
    for (std::size_t i = 0; i < found->size(); ++i) {
      if ((*found)[i] == expected.values[i]) continue;
      return base::fail("Line " + std::to_string(expected.line) + ": " +
                            peName(mesh.config(), mesh.config().peAt(expected.x, expected.y)) +
                            " has " + std::to_string((*found)[i]) + " in element " +
                            std::to_string(i) + ", not " + std::to_string(expected.values[i]) + ".",
                        "The program computes something else than it expects.");
    }
  }
  return {};
}

}  // namespace waferpair::mesh
