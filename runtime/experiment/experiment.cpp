// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/experiment/experiment.h"

#include <cctype>

#include "runtime/experiment/kinds.h"
#include "runtime/tensor/block_formats.h"
#include "runtime/wafer/cost/profile.h"
#include "runtime/wafer/estimate/gpu.h"
#include "runtime/wafer/plan/placement.h"

namespace waferpair::experiment {
namespace {

base::Result<Answer> answerPace(Settings& settings) {
  const std::string name = settings.text("name");
  if (auto ok = settings.check(); !ok) return tl::unexpected(ok.error());
  const auto paces = wafer::publishedPaces();
  if (!paces) return tl::unexpected(paces.error());
  std::string known;
  for (const wafer::Pace& pace : *paces) {
    known += (known.empty() ? "" : ", ") + pace.name;
    if (pace.name != name) continue;
    Answer answer;
    answer.nature = Nature::kPublished;
    answer.title = pace.title;
    answer.figures = {{"tokens_per_second", "Tokens a second", pace.tokensPerSecond, "tokens/s"}};
    answer.sources = {pace.source};
    return answer;
  }
  return base::fail("There is no published pace \"" + name.substr(0, 40) + "\".",
                    "Known are: " + known + ".");
}

// Whoever can be raced: each is a figure whose name is the question to ask, without the model.
base::Result<Answer> answerContenders(Settings& settings) {
  if (auto ok = settings.check(); !ok) return tl::unexpected(ok.error());
  Answer answer;
  answer.nature = Nature::kPublished;
  answer.title = "Contenders";
  for (const std::string& name : wafer::profileNames()) {
    const auto profile = wafer::findProfile(name);
    if (!profile) return tl::unexpected(profile.error());
    answer.figures.push_back({"wafer wafer=" + profile->machine + " profile=" + name,
                              profile->machine + ", " + name, 0, ""});
  }
  for (const std::string& gpu : wafer::gpuNames()) {
    const auto found = wafer::findGpu(gpu);
    if (!found) return tl::unexpected(found.error());
    for (const std::string& stack : wafer::gpuStackNames()) {
      const auto software = wafer::findGpuStack(stack);
      if (!software) return tl::unexpected(software.error());
      answer.figures.push_back(
          {"gpu gpu=" + gpu + " stack=" + stack, found->title + ", " + software->title, 0, ""});
    }
  }
  const auto paces = wafer::publishedPaces();
  if (!paces) return tl::unexpected(paces.error());
  for (const wafer::Pace& pace : *paces)
    answer.figures.push_back(
        {"pace name=" + pace.name, pace.title, pace.tokensPerSecond, "tokens/s"});
  for (const std::string& name : wafer::shapeNames()) {
    const auto shape = wafer::findShape(name);
    if (!shape) return tl::unexpected(shape.error());
    answer.figures.push_back(
        {"model " + name, name, static_cast<double>(shape->parameters()), "weights"});
  }
  return answer;
}

}  // namespace

const char* natureName(Nature nature) {
  static constexpr const char* kNames[] = {"emulated", "modelled", "simulated", "published"};
  return kNames[static_cast<int>(nature)];
}

base::Result<wafer::ModelShape> shapeOf(Settings& settings) {
  auto shape = wafer::findShape(settings.text("model", "llama-3.1-8b"));
  if (!shape) return shape;
  const auto bits = settings.integer("bits", 4, 16);
  if (!bits) return shape;
  if (*bits != 4 && *bits != 8 && *bits != 16)
    return base::fail("The setting bits is " + std::to_string(*bits) + ".",
                      "It should be 4, 8 or 16.");
  using tensor::Format;
  shape->formats = wafer::WeightFormats::all(*bits == 16  ? Format::kF16
                                             : *bits == 8 ? Format::kQ8_0
                                                          : Format::kQ4_0);
  return shape;
}

Request requestOf(Settings& settings) {
  return {settings.integer("prompt", 1, wafer::kMostPositions),
          settings.integer("output", 1, wafer::kMostPositions),
          settings.integer("requests", 1, 1 << 20), settings.integer("draft", 0, wafer::kMostDraft),
          settings.number("acceptance", 0, 1)};
}

base::Result<Answer> answer(const Question& question) {
  Settings settings(question.settings);
  if (question.kind == "wafer") return answerWafer(settings);
  if (question.kind == "gpu") return answerGpu(settings);
  if (question.kind == "mesh") return answerMesh(settings);
  if (question.kind == "machine") return answerMachine(settings);
  if (question.kind == "paper") return answerPaper(settings);
  if (question.kind == "pace") return answerPace(settings);
  if (question.kind == "contenders") return answerContenders(settings);
  return base::fail("There is no experiment \"" + question.kind.substr(0, 40) + "\".",
                    "Known are: wafer, gpu, mesh, machine, paper, pace, contenders.");
}

base::Result<Question> parseQuestion(const std::string& text) {
  Question question;
  std::size_t at = 0;
  const auto blank = [&] { return std::isspace(static_cast<unsigned char>(text[at])) != 0; };
  while (true) {
    while (at < text.size() && blank()) ++at;
    if (at == text.size()) break;
    std::string word;
    bool quoted = false;
    for (; at < text.size() && (quoted || !blank()); ++at) {
      if (text[at] == '"') {
        quoted = !quoted;
      } else {
        word += text[at];
      }
    }
    if (quoted) return base::fail("A quotation mark is not closed.", "Close it.");
    if (word.size() > kMostSettingBytes) return base::fail("A setting is too long.", "Shorten it.");
    if (question.kind.empty()) {
      question.kind = word;
      continue;
    }
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      return base::fail("\"" + word.substr(0, 40) + "\" is not like name=value.",
                        "Write settings so.");
    if (!question.settings.emplace(word.substr(0, equals), word.substr(equals + 1)).second)
      return base::fail("The setting " + word.substr(0, equals) + " stands twice.",
                        "Name it once.");
    if (question.settings.size() > kMostSettings)
      return base::fail("There are too many settings.", "Name fewer.");
  }
  if (question.kind.empty())
    return base::fail("There is no experiment named.",
                      "Known are: wafer, gpu, mesh, machine, paper, pace, contenders.");
  return question;
}

}  // namespace waferpair::experiment
