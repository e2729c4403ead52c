// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wafer/token_commands.h"

#include <QPointer>
#include <memory>

#include "gui/client/runtime_service.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/translate.h"
#include "gui/wafer/token_window.h"

namespace waferpair::gui {
namespace {

QString tokenNoticeId() { return QStringLiteral("tokenNotice"); }

}  // namespace

void addTokenCommands(CommandRegistry& commands, const TokenParts& use) {
  auto window = std::make_shared<QPointer<TokenWindow>>();
  commands.add({.id = "wafer.explainToken",
                .category = tr("Wafer"),
                .text = tr("&Explain This Token"),
                .help = tr("Show how the suggested or accepted token at the caret came about, and "
                           "its way over the wafer."),
                .keys = {chord(Qt::CTRL | Qt::Key_E)},
                .when = Context::kModelReady && Context::kDocumentOpen,
                .places = {{"wafer"}, {"editor", 3}},
                .run = [use, window] {
                  const auto place = use.place();
                  if (!place) {
                    use.notices->show(
                        tokenNoticeId(), Banner::Kind::kInfo,
                        tr("No suggestion is shown at the caret, and the text there is none that "
                           "was accepted since this file was opened."));
                    return;
                  }
                  use.notices->remove(tokenNoticeId());
                  if (!*window) *window = new TokenWindow(use.runtime->explainer(), use.window);
                  (*window)->show();
                  (*window)->raise();
                  (*window)->activateWindow();
                  (*window)->explain(place->first, place->second);
                }});
}

}  // namespace waferpair::gui
