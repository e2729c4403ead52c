// SPDX-License-Identifier: GPL-3.0-or-later
// The waferd behind `waferctl lsp`: found, or else started with the default model, and found or
// started anew when it goes, after a wait that grows from a second to half a minute.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "runtime/lsp/suggester.h"
#include "runtime/waferctl/source.h"

namespace waferpair::waferctl {

class LspLink final : public lsp::Suggester {
 public:
  struct Events {
    std::function<void()> ready;  // the server knows no documents, and its model can be asked
    std::function<void(const std::string& why)> lost;
    std::function<void(std::uint64_t id, const lsp::Suggestion&)> suggested;
  };

  // With flags.model a server of its own is started with it, and none is looked for.
  LspLink(boost::asio::io_context& context, const SourceFlags& flags);
  ~LspLink() override;

  void start(Events events);

  void open(const std::string& uri, const std::string& language, std::int64_t version,
            const std::string& text) override;
  void change(const std::string& uri, std::int64_t version,
              const std::vector<lsp::Edit>& edits) override;
  void close(const std::string& uri) override;
  void ask(std::uint64_t id, const lsp::Wish& wish) override;
  void cancel(std::uint64_t id) override;

 private:
  class Session;
  class OwnServer;

  void look();
  void connect(const server::RunningServer& server);
  void read(const std::string& text);
  void lose(const std::string& why);
  void send(const Json& message);

  boost::asio::io_context& context_;
  const SourceFlags flags_;
  Events events_;
  boost::asio::steady_timer timer_;
  int waitSeconds_ = 1;
  std::unique_ptr<OwnServer> own_;
  std::shared_ptr<Session> session_;  // its handlers end with it
  bool ready_ = false;
  std::map<std::uint64_t, std::string> texts_;  // so far, of what was asked
};

}  // namespace waferpair::waferctl
