// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl quantize IN OUT`: a model's matrices in another format.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include "runtime/transformer/quantize.h"
#include "runtime/waferctl/commands.h"
#include "runtime/waferctl/interrupt.h"
#include "runtime/waferctl/progress_line.h"

namespace waferpair::waferctl {
namespace {

struct QuantizeFlags {
  std::string in, out, format, head;
  std::vector<std::string> keep;
  int threads = 0;
  bool force = false;
};

tensor::Format formatOf(const std::string& name) {
  const auto format = tensor::parseFormat(name);
  if (!format) giveUp(format.error(), kUsage);
  return *format;
}

void run(const QuantizeFlags& flags) {
  transformer::QuantizeOptions options;
  options.format = formatOf(flags.format);
  if (!flags.head.empty()) options.head = formatOf(flags.head);
  options.keep = flags.keep;
  options.threads = flags.threads > 0
                        ? flags.threads
                        : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::error_code error;
  if (!flags.force && std::filesystem::exists(flags.out, error)) {
    giveUp({flags.out + " is there already.", "Name another file, or overwrite it with --force."});
  }
  const auto file = gguf::File::open(flags.in);
  if (!file) giveUp(file.error());

  catchInterrupts();
  auto line = std::make_unique<ProgressLine>();
  options.progress = [&line](double done) {
    if (line->due()) line->show(std::to_string(static_cast<int>(100 * done)) + " %");
    return !interrupted();
  };
  const auto report = transformer::quantizeFile(*file, flags.out, options);
  line.reset();
  if (!report) giveUp(report.error(), interrupted() ? kInterrupted : kFailure);
  char text[200];
  std::snprintf(text, sizeof(text),
                "%.1f MB of tensors (%.1f MB before): %d converted, off by %.2f %% (root mean "
                "square), %d kept",
                static_cast<double>(report->after) / 1e6, static_cast<double>(report->before) / 1e6,
                report->converted, 100 * report->error, report->kept);
  std::cout << flags.out << ": " << text << std::endl;
  for (const auto& [format, tensors] : report->instead) {
    std::cerr << "waferctl: " << tensors << (tensors == 1 ? " tensor is" : " tensors are") << " in "
              << format << " instead: their rows are no whole blocks of the format asked for."
              << std::endl;
  }
  if (report->again > 0) {
    std::cerr << "waferctl: " << report->again
              << " tensors were quantized before: what that lost stays lost." << std::endl;
  }
}

}  // namespace

CLI::App* addQuantizeCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("quantize", "Stores a model's matrices in another format");
  auto flags = std::make_shared<QuantizeFlags>();
  command->add_option("in", flags->in, "GGUF file")->required();
  command->add_option("out", flags->out, "GGUF file to write")->required();
  command->add_option("--format", flags->format, tensor::writtenFormatNames())->required();
  command->add_option("--head", flags->head,
                      "another format for output.weight or, where the head is tied, token_embd");
  command->add_option("--keep", flags->keep,
                      "tensors to leave as they are, like \"blk.*.ffn_down*\"; may be repeated");
  command->add_option("--threads", flags->threads, "0: one a core")
      ->capture_default_str()
      ->check(CLI::Range(0, 256));
  command->add_flag("--force", flags->force, "overwrite OUT");
  command->callback([flags] { run(*flags); });
  return command;
}

}  // namespace waferpair::waferctl
