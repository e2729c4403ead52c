// SPDX-License-Identifier: GPL-3.0-or-later
// A request for text in whatever dialect that has no conversations: a text to go on with, or two
// with a gap between them to be filled in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/inference/engine/request.h"
#include "runtime/inference/model/compiled_model.h"
#include "runtime/server/core/message.h"
#include "runtime/server/core/sampling_fields.h"
#include "runtime/server/dialects/output_format.h"

namespace waferpair::server {

struct PlainRequest {
  using Extra = inference::OtherFile;

  std::string model;     // empty: the first
  std::string fileName;  // of the text, may be empty
  std::string prefix;
  std::string suffix;
  bool isFillIn = false;     // there is a suffix, if an empty one
  std::vector<Extra> extra;  // with isFillIn; those that matter most are last
  int maxTokens = 0;         // 0: the prompt is computed, and that is all
  AskedSampling sampling = {};
  std::vector<std::string> stop = {};
  double minProbability = 0;  // as in JobLimits
  // With isFillIn: it is shown without having been asked for. A model whose certainty is calibrated
  // says only what is likely to be right then; minProbability is not given.
  bool isUnasked = false;
  bool speculation = true;
  bool stream = false;
  bool raw = false;  // the prefix is written in the model's own form
  // A prompt of several: a text, or pieces.
  struct Prompt {
    std::string text = {};
    std::vector<inference::GenerationRequest::Piece> pieces = {};
  };
  std::vector<Prompt> prompts = {};  // where there are several; each has its own answer
  // Not empty: the prompt, instead of the prefix.
  std::vector<inference::GenerationRequest::Piece> pieces = {};
  int mostAlternatives = 0;
  bool chances = false;      // how likely each token was is told, with so many others
  bool echoes = false;       // the text begins with the prompt
  OutputFormat format = {};  // that the text keeps to
};

// Clients write the fill-in tokens of the model that they expect into the prompt: those of Qwen,
// StarCoder, CodeLlama, DeepSeek, Codestral, Seed-Coder and GLM are understood, in any order. Sets
// what the prompt says: the text, or the text around the gap and what stands in front.
void setPrompt(PlainRequest& request, std::string prompt);

// The completion of a request with isFillIn. A model that copies may copy from the extra passages;
// another one reads them in front of the prefix, as far as there is room, in its own tokens where
// it was trained on several files.
inference::CompletionRequest fillInJob(const PlainRequest& request,
                                       const inference::ModelCard& card,
                                       inference::Clock::time_point received);

// The job of any other.
inference::GenerationRequest continuationJob(const PlainRequest& request,
                                             const inference::ModelCard& card,
                                             inference::Clock::time_point received);

// Read the field `prompt`: one of text, which may spell fill-in tokens unless it is raw, or of
// tokens in between; or a list of these.
void readPrompts(JsonFields& fields, PlainRequest& request);
// A string, or a list of one.
std::string readPrompt(JsonFields& fields);
// So many answers may be asked for at once.
void checkCount(JsonFields& fields, std::size_t answers);
// The request for each of its prompts, as often as wanted in a row.
std::vector<PlainRequest> eachPrompt(const PlainRequest& request, int times);
// The number of tokens that are wanted, as JobLimits has it: as many as there is room for where it
// is missing.
int readMostTokens(JsonFields& fields, const char* name);

// The number of other tokens that are told with each, of which there are a few at most.
int readAlternatives(JsonFields& fields, const char* name);

// As readForeignSampling(), but with llama.cpp's names, which Ollama has, too.
AskedSampling readLlamaSampling(JsonFields& fields, const UsualSampling& usual);

}  // namespace waferpair::server
