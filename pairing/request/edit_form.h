// SPDX-License-Identifier: GPL-3.0-or-later
// What a model of some size is good for: small ones write a whole function anew, but no
// search/replace blocks, and the smallest loop. Measured over 40 edits of real functions, with
// models of 135 and 630 million parameters (docs/pairing.md).
#pragma once

#include <QHash>
#include <QString>

namespace waferpair::pairing {

// The form in which a model is asked for an edit.
enum class EditForm {
  kBlocks,   // search/replace blocks over the file
  kRewrite,  // the lines of the target, whole, in a fence
};

// Below, edits are not offered at all.
inline constexpr qint64 kLeastEditParameters = 300'000'000;
// Below, the form is kRewrite.
inline constexpr qint64 kLeastBlockParameters = 3'000'000'000;

// The number of parameters that a model's name tells: "Qwen2.5-Coder-0.5B", "smollm2:135m"; -1:
// none. Of several the last.
qint64 parametersInName(const QString& name);

// `parameters` of a model: -1 where they are not known.
bool mayEdit(qint64 parameters);
EditForm editFormFor(qint64 parameters);

// The forms that models are asked in whose size is not known: what they answered in. One thread.
class EditForms {
 public:
  EditForm formOf(const QString& modelId, qint64 parameters) const;
  // It was asked for blocks, and answered with code in a fence, or did not.
  void answered(const QString& modelId, bool inFence);

 private:
  QHash<QString, EditForm> forms_;
};

}  // namespace waferpair::pairing
