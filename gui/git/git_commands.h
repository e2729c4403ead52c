// SPDX-License-Identifier: GPL-3.0-or-later
// Commands for git repositories.
#pragma once

namespace waferpair::pairing {
class ModelRoster;
}

namespace waferpair::gui {

class CommandRegistry;
class GitTools;
class ReviewChoices;

// All outlive the commands.
void addGitCommands(CommandRegistry& commands, GitTools* tools, pairing::ModelRoster* roster);
// What of the repository a model is to review.
void addCommitReviewCommands(CommandRegistry& commands, ReviewChoices* reviews);

}  // namespace waferpair::gui
