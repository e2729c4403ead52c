// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/modal/modal_command.h"

#include <algorithm>

namespace waferpair::editor {

namespace {

constexpr int kMostTimes = 99999;

bool isOneOf(const ModalKey& key, const char* keys) {
  return key.size() == 1 && QByteArrayView(keys).contains(key[0]);
}

bool isDigitKey(const ModalKey& key, bool isFirst) {
  return key.size() == 1 && key[0] >= (isFirst ? '1' : '0') && key[0] <= '9';
}

class CommandReader {
 public:
  CommandReader(const QVector<ModalKey>& keys, bool isVisual, bool isRecording)
      : keys_(keys), isVisual_(isVisual), isRecording_(isRecording) {}

  ModalParse read(ModalCommand* command) {
    readCounts(command);
    if (atEnd()) return ModalParse::kPart;
    ModalKey key = keys_[at_++];
    if (key == "g" || key == "z" || key == "Z") {
      if (atEnd()) return ModalParse::kPart;
      key += keys_[at_++];
    }
    const bool isOperator = isOneOf(key, "dcy><=") || key == "gu" || key == "gU" || key == "g~";
    if (isOperator) {
      command->op = key;
      if (isVisual_) return ModalParse::kWhole;
      return readOperated(command);
    }
    if (isVisual_ && isOneOf(key, "ia")) return readObject(command, key);
    return readArgument(command, key);
  }

 private:
  bool atEnd() const { return at_ >= keys_.size(); }

  void readCounts(ModalCommand* command) {
    while (!atEnd()) {
      if (keys_[at_] == "\"") {
        if (at_ + 1 >= keys_.size()) {
          at_ = keys_.size();
          return;
        }
        command->reg = keys_[at_ + 1].size() == 1 ? keys_[at_ + 1][0] : '_';
        at_ += 2;
        continue;
      }
      if (!isDigitKey(keys_[at_], true)) return;
      int count = 0;
      while (!atEnd() && isDigitKey(keys_[at_], false))
        count = std::min(kMostTimes, count * 10 + (keys_[at_++][0] - '0'));
      command->count = std::min(kMostTimes, std::max(1, command->count) * count);
    }
  }

  ModalParse readOperated(ModalCommand* command) {
    readCounts(command);
    if (atEnd()) return ModalParse::kPart;
    ModalKey key = keys_[at_++];
    if (key == "g") {
      if (atEnd()) return ModalParse::kPart;
      key += keys_[at_++];
    }
    // "dd", "guu" and "gugu".
    if (key == command->op || (command->op.size() == 2 && key == command->op.right(1))) {
      command->name = command->op;
      return ModalParse::kWhole;
    }
    if (isOneOf(key, "ia")) return readObject(command, key);
    return readArgument(command, key);
  }

  ModalParse readObject(ModalCommand* command, const ModalKey& key) {
    if (atEnd()) return ModalParse::kPart;
    command->name = key;
    command->argument = keys_[at_++];
    command->isObject = true;
    return command->argument.size() == 1 ? ModalParse::kWhole : ModalParse::kWrong;
  }

  ModalParse readArgument(ModalCommand* command, const ModalKey& key) {
    command->name = key;
    const bool takes = isOneOf(key, "fFtTr'`m@") || (key == "q" && !isRecording_);
    if (!takes) return ModalParse::kWhole;
    if (atEnd()) return ModalParse::kPart;
    command->argument = keys_[at_++];
    const bool isCharacter = command->argument.size() == 1 || command->argument[0] != '<';
    if (command->argument == "<CR>" && key == "r") return ModalParse::kWhole;
    return isCharacter ? ModalParse::kWhole : ModalParse::kWrong;
  }

  const QVector<ModalKey>& keys_;
  qsizetype at_ = 0;
  bool isVisual_;
  bool isRecording_;
};

}  // namespace

QVector<ModalKey> modalKeys(const QByteArray& text) {
  QVector<ModalKey> keys;
  for (qsizetype at = 0; at < text.size();) {
    qsizetype end = at + 1;
    if (text[at] == '<') {
      const qsizetype close = text.indexOf('>', at);
      if (close > at + 1 && close - at < 10) end = close + 1;
    }
    while (end < text.size() && (text[end] & 0xC0) == 0x80) ++end;
    const QByteArray key = text.sliced(at, end - at);
    keys.append(key == "<lt>" ? ModalKey("<") : key);
    at = end;
  }
  return keys;
}

ModalParse parseModal(const QVector<ModalKey>& keys, bool isVisual, bool isRecording,
                      ModalCommand* command) {
  *command = {};
  return CommandReader(keys, isVisual, isRecording).read(command);
}

}  // namespace waferpair::editor
