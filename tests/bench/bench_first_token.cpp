// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the time from one typed character to the first token behind it, through the engine, with
// much text in front: as a completion, whose window the engine cuts, and as a generation from 8K
// tokens. bench_first_token [FILE.gguf]; target: 20 ms with 8K tokens of context.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <future>
#include <string>
#include <vector>

#include "runtime/inference/engine/engine.h"
#include "tests/bench/bench_model.h"
#include "tests/support/paths.h"

namespace {

using namespace waferpair;
using bench::giveUp;

constexpr char kTyped[] =
    "\n  const int total = count * width + offset;\n  for (int i = 0; i < total; ++i) sum += i;\n";
constexpr int kPlaces = 3;

std::string someCode() {
  std::string text;
  const std::string folder = test::sourceDir() + "/runtime/";
  for (const char* file :
       {"inference/engine/engine.cpp", "server/session/session.cpp", "transformer/forward.cpp",
        "tokenizer/tokenizer.cpp", "wafer/plan/program.cpp", "gguf/parser.cpp"}) {
    text += bench::readFile(folder + file);
  }
  return text;
}

template <typename Request>
inference::JobReport submit(inference::Engine& engine, Request request) {
  std::promise<inference::JobReport> done;
  engine.submit(std::move(request),
                {.onText = [](std::string) {},
                 .onDone = [&](const inference::JobReport& report) { done.set_value(report); },
                 .onBegin = nullptr});
  return done.get_future().get();
}

// Continues the text in front of `offset` by a token.
using Ask = inference::JobReport (*)(inference::Engine&, const std::string& text,
                                     std::size_t offset);

inference::JobReport complete(inference::Engine& engine, const std::string& text,
                              std::size_t offset) {
  engine.documentChanged(1, "document", text);
  const auto window = engine.window(text, offset);
  return submit(engine, inference::CompletionRequest{.client = 1,
                                                     .document = "document",
                                                     .fileName = "document.cpp",
                                                     .prefix = std::string(window.prefix),
                                                     .suffix = std::string(window.suffix),
                                                     .limits = {.maxTokens = 1}});
}

inference::JobReport generate(inference::Engine& engine, const std::string& text,
                              std::size_t offset) {
  return submit(engine,
                inference::GenerationRequest{
                    .client = 1, .prompt = text.substr(0, offset), .limits = {.maxTokens = 1}});
}

void measure(const char* what, Ask ask, const std::string& file, int prefixTokens) {
  auto model = inference::CompiledModel::load(file);
  if (!model) giveUp(model.error());
  auto made = inference::Engine::make(std::move(*model));
  if (!made) giveUp(made.error());
  inference::Engine& engine = **made;
  const std::string code = someCode();
  const double bytesPerToken = static_cast<double>(code.size()) /
                               static_cast<double>(engine.model().tokenizer().encode(code).size());
  std::vector<double> later;  // milliseconds
  double cold = 0;
  std::vector<int> inputs, computed;
  for (int place = 0; place < kPlaces; ++place) {
    std::string text = code;
    // Lines further on each time; what stands in front of the cursor comes to so many tokens.
    const auto near = static_cast<std::size_t>(bytesPerToken * prefixTokens) + 400u * place;
    std::size_t offset = text.find('\n', near);
    if (offset == std::string::npos) giveUp({"There is too little text for such a context.", ""});
    const double first = ask(engine, text, offset).firstTokenMs;
    if (place == 0) cold = first;
    for (const char c : std::string(kTyped)) {
      text.insert(offset++, 1, c);
      const inference::JobReport report = ask(engine, text, offset);
      if (report.outputTokens == 0) continue;  // the model had nothing to say
      later.push_back(report.firstTokenMs);
      inputs.push_back(report.inputTokens);
      computed.push_back(report.inputTokens - report.cachedTokens);
    }
  }
  if (later.empty()) giveUp({file + ": no completion gave a token.", "Choose another model."});
  std::sort(later.begin(), later.end());
  std::sort(computed.begin(), computed.end());
  const auto [least, most] = std::minmax_element(inputs.begin(), inputs.end());
  std::printf(
      "%s, model's context %d, %d to %d tokens in the prompt, %d threads\n"
      "    after one more character: %.2f ms (90 %%: %.2f, worst of %zu: %.2f), %d tokens "
      "computed\n"
      "    the first time: %.0f ms\n",
      what, engine.model().card().context, *least, *most, engine.model().threads(),
      later[later.size() / 2], later[later.size() * 9 / 10], later.size(), later.back(),
      computed[computed.size() / 2], cold);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = bench::modelPath(argc, argv);
  std::printf("%s\nHost time from a request to its first token, median; target 20 ms at 8K.\n",
              path.c_str());
  measure("completion", complete, path, 4000);  // more than the window takes
  const std::string longer = bench::withLongContext(path, 16384);
  measure("completion", complete, longer, 8192);
  measure("generation", generate, longer, 8192);
  std::filesystem::remove(longer);
  return 0;
}
