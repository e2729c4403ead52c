// SPDX-License-Identifier: GPL-3.0-or-later
// `waferctl lsp`: the language server on standard input and output (docs/other-editors.md).
#include <unistd.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/write.hpp>
#include <csignal>
#include <deque>
#include <iostream>
#include <memory>

#include "runtime/lsp/framing.h"
#include "runtime/lsp/server.h"
#include "runtime/server/core/events.h"
#include "runtime/waferctl/commands.h"
#include "runtime/waferctl/lsp_link.h"

namespace waferpair::waferctl {
namespace {

namespace asio = boost::asio;
using Failure = boost::system::error_code;

// What the editor has not read yet is kept up to this many bytes; an editor that reads nothing for
// so long is gone.
constexpr std::size_t kMostUnwrittenBytes = 256 << 20;

class LspProcess {
 public:
  LspProcess(const SourceFlags& flags, const lsp::Options& options)
      : link_(context_, flags),
        server_(link_, options, [this](const Json& message) { write(message); }) {}

  // Until the editor says exit, or its end of the streams closes. Returns the exit status.
  int run() {
    asio::signal_set signals(context_, SIGTERM, SIGINT);
    signals.async_wait([this](Failure error, int) {
      if (!error) end(0);
    });
    link_.start({.ready = [this] { server_.suggesterReady(); },
                 .lost = [this](const std::string& why) { server_.suggesterLost(why); },
                 .suggested =
                     [this](std::uint64_t id, const lsp::Suggestion& suggestion) {
                       server_.suggested(id, suggestion);
                     }});
    read();
    context_.run();
    return status_;
  }

 private:
  void read() {
    input_.async_read_some(asio::buffer(buffer_), [this](Failure error, std::size_t count) {
      // An editor that died said no exit.
      if (error) return end(1);
      frames_.feed({buffer_.data(), count});
      for (;;) {
        auto body = frames_.next();
        if (!body) {
          std::cerr << "waferctl: " << body.error().message() << std::endl;
          return end(1);
        }
        if (!*body) break;
        server_.take(**body);
        if (const auto status = server_.exitStatus()) return end(*status);
      }
      read();
    });
  }

  void write(const Json& message) {
    unwritten_.push_back(lsp::frame(server::dump(message)));
    unwrittenBytes_ += unwritten_.back().size();
    if (unwrittenBytes_ > kMostUnwrittenBytes) return end(1);
    if (unwritten_.size() == 1) writeNext();
  }

  void writeNext() {
    asio::async_write(output_, asio::buffer(unwritten_.front()),
                      [this](Failure error, std::size_t) {
                        if (error) return end(1);
                        unwrittenBytes_ -= unwritten_.front().size();
                        unwritten_.pop_front();
                        if (!unwritten_.empty()) writeNext();
                      });
  }

  void end(int status) {
    status_ = status;
    context_.stop();
  }

  asio::io_context context_;
  asio::posix::stream_descriptor input_{context_, dup(STDIN_FILENO)};
  asio::posix::stream_descriptor output_{context_, dup(STDOUT_FILENO)};
  std::array<char, 64 << 10> buffer_;
  lsp::FrameReader frames_;
  std::deque<std::string> unwritten_;
  std::size_t unwrittenBytes_ = 0;
  LspLink link_;
  lsp::Server server_;
  int status_ = 0;
};

}  // namespace

CLI::App* addLspCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "lsp", "Suggests in any editor that speaks the Language Server Protocol, over stdio");
  struct Flags {
    SourceFlags source;
    lsp::Options options;
    bool stdio = false;
  };
  auto flags = std::make_shared<Flags>();
  command->add_option("--port", flags->source.port, "of the waferd to ask, where several run");
  command->add_option("--token-file", flags->source.tokenFile,
                      "of that waferd, where it is not in the usual place");
  command
      ->add_option("--model", flags->source.model,
                   "GGUF file for a waferd of its own; without one, and where no waferd runs, the "
                   "default model")
      ->type_name("FILE");
  command->add_option("--max-tokens", flags->options.maxTokens, "of a suggestion, at most")
      ->capture_default_str()
      ->check(CLI::Range(1, 4096));
  command
      ->add_option("--max-lines", flags->options.maxLines, "of a suggestion, at most; 0: no limit")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000));
  command
      ->add_option("--min-probability", flags->options.minProbability,
                   "of a suggestion that comes by itself")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  command->add_flag("--stdio", flags->stdio, "what it does anyway; some editors say so");
  command->callback([flags] {
    if (isatty(STDIN_FILENO))
      giveUp({"waferctl lsp is started by an editor, which speaks to it over pipes.",
              "docs/other-editors.md says how to set up yours."},
             kUsage);
    LspProcess process(flags->source, flags->options);
    if (const int status = process.run(); status != 0) throw CLI::RuntimeError(status);
  });
  return command;
}

}  // namespace waferpair::waferctl
