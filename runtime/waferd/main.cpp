// SPDX-License-Identifier: GPL-3.0-or-later
// waferd, the model server: listens, says where, loads its models beside that, serves until it is
// asked to end (SIGTERM, SIGINT), its parent ends, or nobody has used it for long enough.
#include <malloc.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "runtime/base/crash_report.h"
#include "runtime/base/private_folder.h"
#include "runtime/server/core/models_folder.h"
#include "runtime/server/core/version.h"
#include "runtime/server/server.h"
#include "runtime/server/session/shadow.h"
#include "runtime/waferd/exit_codes.h"
#include "runtime/waferd/options.h"
#include "runtime/waferd/parent_watch.h"

namespace waferpair::waferd {
namespace {

void complain(const base::Error& error) { std::cerr << "waferd: " << error.message() << std::endl; }

inference::CompileOptions compileOptionsOf(const Options& options,
                                           const server::ModelSource& source) {
  inference::CompileOptions compile = options.compile;
  compile.adapters = source.adapters;
  const auto kvBytes = options.kvBytes.find(source.name);
  if (kvBytes != options.kvBytes.end()) compile.kvBytes = kvBytes->second;
  return compile;
}

// Tells a model from others by its files.
std::string stemsOf(const server::ModelSource& source) {
  std::string stems = std::filesystem::path(source.file).stem().string();
  for (const transformer::AdapterFile& adapter : source.adapters)
    stems += "+" + std::filesystem::path(adapter.path).stem().string();
  return stems;
}

base::Result<std::unique_ptr<inference::Engine>> load(
    const Options& options, const std::shared_ptr<inference::SharedCores>& cores, server::Log& log,
    const server::ModelSource& source, const inference::LoadProgress& progress) {
  inference::EngineOptions engine = options.engine;
  engine.cores = cores;
  engine.session.onProblem = [&log, alone = options.parentPid == 0](const base::Error& error) {
    log.line(error.message());
    if (alone) complain(error);  // a parent takes it for the reason of what it sees next
  };
  const server::ModelSource& first = options.models.front();
  const bool isFirst = source.file == first.file && source.adapters == first.adapters;
  try {
    auto model =
        inference::CompiledModel::load(source.file, compileOptionsOf(options, source), progress);
    if (!model) return tl::unexpected(model.error());
    if (!isFirst && !engine.session.file.empty()) {
      engine.session.file += "." + (source.name.empty() ? stemsOf(source) : source.name);
    }
    if (isFirst && !options.shadow.empty()) {
      auto shadow = server::planShadow({.shape = options.shadow}, (*model)->card());
      if (!shadow) return tl::unexpected<base::Error>(shadow.error());
      (*model)->setShadow(std::move(*shadow));
    }
    return inference::Engine::make(std::move(*model), std::move(engine));
  } catch (const std::bad_alloc&) {
    return base::fail(source.file + " does not fit into this computer's memory.",
                      "Choose a smaller model or a smaller --context.");
  }
}

// The daemon's life on the server's executor.
class Daemon {
 public:
  Daemon(server::Server& server, const Options& options)
      : server_(server),
        options_(options),
        signals_(server.hub().executor(), SIGTERM, SIGINT),
        idle_(server.hub().executor()) {
    signals_.async_wait([this](boost::system::error_code error, int) {
      if (!error) end("a signal");
    });
    if (options.parentPid > 0)
      parent_.emplace(server.hub().executor(), options.parentPid,
                      [this] { end("the parent has ended"); });
    if (options.idleExitSeconds > 0) {
      server.hub().onSessions([this] { watchIdleness(); });
      watchIdleness();
    }
  }

  void loadModels() {
    server::Hub& hub = server_.hub();
    // The models share the cores; the first is loaded at once.
    hub.models().begin(
        {.preview =
             [this](const server::ModelSource& source) {
               return inference::previewOf(source.file, compileOptionsOf(options_, source));
             },
         .load =
             [this, &log = hub.log(), cores = std::make_shared<inference::SharedCores>()](
                 const server::ModelSource& source, const inference::LoadProgress& progress) {
               return load(options_, cores, log, source, progress);
             }},
        options_.memory, options_.models, [this](const base::Error& why) { onBadModel(why); });
    hub.models().setFolder(options_.modelsFolder);
    server::offerFolder(hub.models());
  }

  int exitCode() const { return exitCode_; }

 private:
  // A model that the command line names cannot be used.
  void onBadModel(const base::Error& error) {
    if (ending_) return;
    complain(error);
    if (options_.onBadModel == OnBadModel::kKeep) return;
    exitCode_ = kBadModel;
    end("the model cannot be used");
  }

  void watchIdleness() {
    idle_.cancel();
    if (ending_ || server_.hub().sessions() > 0) return;
    idle_.expires_after(std::chrono::seconds(options_.idleExitSeconds));
    idle_.async_wait([this](boost::system::error_code error) {
      if (!error) end("nobody uses it");
    });
  }

  void end(const char* why) {
    if (ending_) return;
    ending_ = true;
    server_.hub().log().line(std::string("ending: ") + why);
    // The sessions' goodbyes are left to send, and keep the context running.
    boost::system::error_code ignored;
    signals_.cancel(ignored);
    signals_.clear(ignored);  // a second SIGTERM is not waited for
    idle_.cancel();
    if (parent_) parent_->stop();
    server_.shutDown();
  }

  server::Server& server_;
  const Options& options_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer idle_;
  std::optional<ParentWatch> parent_;
  bool ending_ = false;
  int exitCode_ = kSuccess;
};

// A crash leaves a report on this computer (docs/guide/when-something-is-wrong.md).
void keepCrashReports() {
  const auto folder = base::privateStateFolder(std::string(base::kCrashFolder), "");
  if (!folder) return;  // it serves all the same
  base::reportCrashes(
      "waferd", *folder,
      "Program: " + std::string(server::kServerName) + "\n" + base::systemFact() + "\n");
}

// The C library would raise both of these by itself to twice the longest message, and then keep as
// much in each thread's heap. What is longer than this goes back to the system when it is freed.
void keepLittleFreedMemory() {
  constexpr int kLong = 4 << 20;
  mallopt(M_MMAP_THRESHOLD, kLong);
  mallopt(M_TRIM_THRESHOLD, kLong);
}

int run(int argc, char** argv) {
  keepLittleFreedMemory();
  int exitCode = kUsage;
  const std::optional<Options> options = parseOptions(argc, argv, exitCode);
  if (!options) return exitCode;

  keepCrashReports();
  // A client that hangs up, or a file that grows too large, is an error code and not an end.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  auto log = std::make_unique<server::Log>();
  if (!options->log.empty()) {
    auto opened = server::Log::open(options->log);
    if (!opened) {
      complain(opened.error());
      return kUsage;
    }
    log = std::move(*opened);
  }

  boost::asio::io_context context(1);
  const auto server = server::Server::listen(context, *log, options->listen);
  if (!server) {
    complain(server.error());
    return kCannotListen;
  }
  // Before anybody knows that it runs and may ask it to end.
  Daemon daemon(**server, *options);
  const nlohmann::json listening = {{"event", "listening"},
                                    {"port", (*server)->port()},
                                    {"token_file", (*server)->tokenFile()},
                                    {"pid", getpid()}};
  std::cout << listening.dump() << std::endl;
  log->line("listening on port " + std::to_string((*server)->port()));

  daemon.loadModels();
  context.run();
  return daemon.exitCode();
}

}  // namespace
}  // namespace waferpair::waferd

int main(int argc, char** argv) { return waferpair::waferd::run(argc, argv); }
