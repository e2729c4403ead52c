// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/review_commands.h"

#include "gui/kit/command_registry.h"
#include "gui/pairing/pair_dock.h"
#include "gui/pairing/review_panel.h"
#include "gui/translate.h"

namespace waferpair::gui {

void addReviewCommands(CommandRegistry& commands, PairDock* dock, DockStrip* strip) {
  const QString category = tr("Review");
  ReviewPanel* review = dock->review();
  const auto show = [dock, strip] { showPairPage(dock, strip, PairDock::Page::kReview); };
  commands.add({.id = "review.changes",
                .category = category,
                .text = tr("&Review My Changes"),
                .help = tr("Have the model remark on what changed since the last commit."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_R},
                .icon = "eye",
                .when = Context::kFolderOpen && !Context::kReviewRunning,
                .places = {{"pair", 6}},
                .run = [show, review] {
                  show();
                  review->askForRemarks();
                }});
  commands.add({.id = "review.show",
                .category = category,
                .text = tr("Remarks and C&hanges"),
                .help = tr("Go to the remarks of the last review, or to the tests that were "
                           "written."),
                .places = {{"pair", 6}},
                .run = [show, review] {
                  show();
                  review->enter();
                }});
  commands.add({.id = "review.next",
                .category = category,
                .text = tr("Next Re&mark"),
                .help = tr("Go to the next line that has a remark."),
                .keys = {Qt::Key_F8},
                .when = Context::kReviewRemarks,
                .places = {{"pair", 6}, {"go", 2}},
                .run = [review] { review->step(+1); }});
  commands.add({.id = "review.previous",
                .category = category,
                .text = tr("Previous Remark"),
                .help = tr("Go to the line with the remark before."),
                .keys = {Qt::SHIFT | Qt::Key_F8},
                .when = Context::kReviewRemarks,
                .places = {{"pair", 6}, {"go", 2}},
                .run = [review] { review->step(-1); }});
  commands.add({.id = "review.stop",
                .category = category,
                .text = tr("Stop the Re&view"),
                .help = tr("End the review that is being written; what came stays. In the panel, "
                           "Esc does."),
                .when = Context::kReviewRunning,
                .places = {{"pair", 6}},
                .run = [review] { review->stop(); }});
}

}  // namespace waferpair::gui
