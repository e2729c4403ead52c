// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the requests about a plan: to write it, to revise it, to carry out one of its steps.
// Chooses what of the project goes along.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "pairing/ask/ask_request.h"
#include "pairing/context/context_item.h"
#include "pairing/plans/plan.h"
#include "pairing/request/endpoint.h"

namespace waferpair::pairing {

// `wish`: what is to be done, or to be done otherwise. A plan without steps is to be written.
ModelRequest planRequest(const Plan& plan, const QString& wish,
                         const QVector<ContextItem>& context);

// The same for a server that keeps to forms: each step is about files that there are, a new one, or
// a command. `files`: those of the project, of which those in the context and those that the wish
// names come first.
ModelRequest formedPlanRequest(const Plan& plan, const QString& wish,
                               const QVector<ContextItem>& context, const QStringList& files);

// `step` is in the plan. The outputs of commands that ran go along, the latest of them whole.
ModelRequest stepRequest(const Plan& plan, const PlanStep& step,
                         const QVector<ContextItem>& context);

// What fills the context of a model (of that many tokens; -1: unknown) in a request with this wish
// or this step's text; its `files` are still 0.
ContextUse planUse(const Plan& plan, const QString& wish, qint64 contextTokens);
ContextUse stepUse(const Plan& plan, const PlanStep& step, qint64 contextTokens);

// Returns the text to look things up for: the text, and behind it mentions of the project's files
// that it names without "@" ("in src/a.cpp", "the Makefile") and of `more`, relative paths.
QString withMentions(const QString& text, const QStringList& files, const QStringList& more);

// The command in an answer: what its fenced blocks of shell hold, in order. Empty: none.
QString commandIn(const QString& answer);

}  // namespace waferpair::pairing
