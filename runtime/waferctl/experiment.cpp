// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/waferctl/experiment.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "runtime/experiment/experiment.h"
#include "runtime/wafer/estimate/gpu.h"
#include "runtime/waferctl/commands.h"
#include "runtime/waferctl/wafer_flags.h"

namespace waferpair::waferctl {
namespace {

void printAnswer(const experiment::Answer& answer, std::ostream& out) {
  out << answer.title << "\n  " << natureName(answer.nature);
  if (!answer.band.empty()) out << "; " << answer.band;
  out << "\n" << std::defaultfloat << std::setprecision(6);
  for (const experiment::Figure& figure : answer.figures)
    out << "  " << std::left << std::setw(26) << figure.name << std::right << std::setw(14)
        << figure.value << " " << std::left << std::setw(10) << figure.unit << figure.label
        << std::right << "\n";
  for (const experiment::Share& share : answer.shares)
    out << "  " << std::left << std::setw(30) << share.name << std::right << std::fixed
        << std::setprecision(3) << std::setw(10) << 1e6 * share.seconds << " us a token\n";
  for (const std::string& source : answer.sources) out << "  source  " << source << "\n";
}

nlohmann::ordered_json answerJson(const experiment::Answer& answer) {
  nlohmann::ordered_json json = {{"nature", natureName(answer.nature)},
                                 {"title", answer.title},
                                 {"band", answer.band},
                                 {"worst_error_percent", nullptr},
                                 {"figures", nlohmann::ordered_json::object()},
                                 {"seconds_of_a_token", nlohmann::ordered_json::object()},
                                 {"sources", answer.sources}};
  if (answer.worstErrorPercent) json["worst_error_percent"] = *answer.worstErrorPercent;
  for (const auto& figure : answer.figures) json["figures"][figure.name] = figure.value;
  for (const auto& share : answer.shares) json["seconds_of_a_token"][share.name] = share.seconds;
  return json;
}

}  // namespace

base::Result<void> printExperiment(const std::vector<std::string>& words, bool json,
                                   std::ostream& out) {
  std::string text;
  for (const std::string& word : words) {
    const bool quoted = word.find('"') != std::string::npos;
    if (quoted && words.size() > 1 && word.find_first_of(" \t\n") != std::string::npos)
      return base::fail("The word " + word.substr(0, 40) + " has both blanks and quotation marks.",
                        "Leave the marks away, as the shell has its own; or quote the whole "
                        "question as one word.");
    // The shell has divided it already, unless all of it stands in quotation marks.
    text += words.size() == 1 || quoted ? word + ' ' : '"' + word + "\" ";
  }
  const auto question = experiment::parseQuestion(text);
  if (!question) return tl::unexpected(question.error());
  const auto answer = experiment::answer(*question);
  if (!answer) return tl::unexpected(answer.error());
  if (json) {
    out << answerJson(*answer).dump(2) << "\n";
  } else {
    printAnswer(*answer, out);
  }
  return {};
}

base::Result<void> printGpuRows(std::ostream& out) {
  const auto data = wafer::gpuCalibration();
  if (!data) return tl::unexpected(data.error());
  out << "Published decode rates of GPUs, beside t = bytes / (n eta bandwidth) + layers x tau +\n"
         "(requests - 1) x rho. \"fitted\": a constant was chosen by that row; \"check\": nothing "
         "was. Ours are modelled.\n\n";
  for (const std::string& name : wafer::gpuStackNames()) {
    const auto stack = wafer::findGpuStack(name);
    if (!stack) return tl::unexpected(stack.error());
    line(out, ("tau " + name).c_str())
        << std::setw(5) << 1e6 * stack->layerSeconds << " us a layer: " << stack->source << "\n";
  }
  for (const wafer::MemoryShare& share : data->shares) {
    line(out, ("eta, " + std::to_string(share.bits) + " bits").c_str())
        << std::setw(5) << share.share << " " << share.source << "\n";
  }
  line(out, "rho") << std::setw(5) << 1e6 * data->requestSeconds
                   << " us a request: " << data->requestSource << "\n\n";
  out << std::left << std::setw(6) << "gpu" << std::setw(13) << "stack" << std::setw(39) << "model"
      << std::right << std::setw(3) << "n" << std::setw(6) << "batch" << std::setw(12)
      << "published" << std::setw(10) << "modelled" << std::setw(9) << "error"
      << "  is\n";
  double off = 0, worst = 0;
  std::vector<double> all;
  std::set<std::string> sources;
  for (const wafer::GpuRow& row : data->rows) {
    const auto speed = wafer::estimatedTokensPerSecond(*data, row);
    if (!speed) return tl::unexpected(speed.error());
    const double error = 100 * (*speed / row.tokensPerSecond - 1);
    out << std::left << std::setw(6) << row.gpu << std::setw(13) << row.stack << std::setw(39)
        << row.model << std::right << std::setw(3) << row.gpus << std::setw(6) << row.batch
        << std::fixed << std::setprecision(1) << std::setw(12) << row.tokensPerSecond
        << std::setw(10) << *speed << std::showpos << std::setw(7) << error << std::noshowpos
        << " %" << (row.fitted ? "  fitted" : "  check") << "\n";
    sources.insert(row.note.empty() ? row.source
                                    : row.source + " (" + row.model + ": " + row.note + ")");
    if (row.fitted) continue;
    all.push_back(std::abs(error));
    off += std::abs(error);
    worst = std::max(worst, std::abs(error));
  }
  std::sort(all.begin(), all.end());
  out << "\nchecks: " << all.size() << ", mean error " << off / static_cast<double>(all.size())
      << " %, median " << all[all.size() / 2] << " %, worst " << worst << " %\n\n";
  for (const std::string& source : sources) out << "  " << source << "\n";
  return {};
}

void addExperimentCommands(CLI::App& app) {
  const auto report = [](const char* name, const base::Result<void>& ok) {
    if (ok) return;
    std::cerr << "waferctl " << name << ": " << ok.error().message() << "\n";
    throw CLI::RuntimeError(kFailure);
  };
  app.add_subcommand("gpu", "The model of GPUs beside every published rate, also those missed")
      ->callback([report] { report("gpu", printGpuRows(std::cout)); });
  struct Asked {
    std::vector<std::string> words;
    bool json = false;
  };
  const auto asked = std::make_shared<Asked>();
  CLI::App* ask = app.add_subcommand(
      "experiment", "What would be: figures of a model on wafers or GPUs, or of a mesh program");
  ask->add_option("question", asked->words,
                  "wafer, gpu, mesh, machine, paper, pace or contenders, and settings: "
                  "model=llama-3.1-8b prompt=1024 ... (docs/experiments.md)")
      ->required();
  ask->add_flag("--json", asked->json, "for programs");
  ask->callback([report, asked] {
    report("experiment", printExperiment(asked->words, asked->json, std::cout));
  });
}

}  // namespace waferpair::waferctl
