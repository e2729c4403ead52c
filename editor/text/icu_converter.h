// SPDX-License-Identifier: GPL-3.0-or-later
// One of ICU's encodings, both ways, in pieces of any size, strictly: what has no counterpart on
// the other side is an error, nothing is replaced by something like it. No byte order marks.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>
#include <memory>

struct UConverter;

namespace waferpair::editor {

class IcuConverter {
 public:
  // `name` as ICU has it. See isOpen(): a build of ICU may lack it.
  explicit IcuConverter(const char* name);

  bool isOpen() const { return converter_ != nullptr; }

  // Appends what is complete to `utf8`. False, for good, once the bytes are none of this encoding.
  bool decode(QByteArrayView bytes, QByteArray* utf8);
  // Returns, after the last piece, whether no character was begun and not ended.
  bool isComplete() const;

  // Appends the bytes of `text`. Stops before the first character that the encoding lacks and
  // returns how many UTF-16 units it took. `last`: nothing follows.
  qsizetype encode(QStringView text, bool last, QByteArray* bytes);

 private:
  struct Close {
    void operator()(UConverter* converter) const;
  };
  std::unique_ptr<UConverter, Close> converter_;
  bool valid_ = true;
};

}  // namespace waferpair::editor
