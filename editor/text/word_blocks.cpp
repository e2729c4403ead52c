// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/word_blocks.h"

#include <QHash>
#include <QRegularExpression>
#include <algorithm>

namespace waferpair::editor {
namespace {

constexpr qsizetype kMostOfLine = 2'000;  // bytes; a longer one opens and ends nothing
constexpr int kMostLooked = 2'000;        // lines

struct WordBlocks {
  QRegularExpression opens;
  QRegularExpression same;      // and is ended in the same line
  QRegularExpression ends;      // begins with what ends a block
  QRegularExpression divides;   // likewise, and opens the next part
  QRegularExpression complete;  // that word alone
};

QRegularExpression pattern(const char* text) {
  return QRegularExpression(QString::fromLatin1(text));
}

QHash<QString, WordBlocks> makeBlocks() {
  QHash<QString, WordBlocks> all;
  const auto add = [&all](std::initializer_list<const char*> names, const char* opens,
                          const char* same, const char* ends, const char* divides,
                          const char* complete) {
    for (const char* name : names)
      all.insert(QString::fromLatin1(name), {pattern(opens), pattern(same), pattern(ends),
                                             pattern(divides), pattern(complete)});
  };
  constexpr char kEnd[] = "\\bend[\\s)};,]*$";
  add({"Lua"}, "(?:\\b(?:then|do|repeat|else)$|\\bfunction\\b[^()]*\\([^()]*\\)$)", kEnd,
      "^(?:end|until)\\b", "^(?:else|elseif)\\b", "^(?:end|until|else|elseif)$");
  add({"Ruby", "Ruby/Rails/RHTML", "Crystal"},
      "^(?:(?:(?:private|protected|public)\\s+)?def\\b(?!.*\\)\\s*=\\s)|(?:class|module|if|unless|"
      "while|until|for|case|begin|else|elsif|when|rescue|ensure)\\b)|=\\s*(?:if|unless|case|begin)"
      "\\b|\\bdo(?:\\s*\\|[^|]*\\|)?$",
      kEnd, "^end\\b", "^(?:else|elsif|when|rescue|ensure)\\b",
      "^(?:end|else|elsif|when|rescue|ensure)$");
  add({"Bash", "Zsh"}, "(?:^|[\\s;])(?:then|do|else)$|^case\\b.*\\sin$",
      "(?:^|[\\s;])(?:fi|done|esac)$", "^(?:fi|done|esac)\\b", "^(?:else|elif)\\b",
      "^(?:fi|done|esac|else|elif)$");
  add({"Fish"}, "^(?:if|for|while|function|switch|begin|else|case)\\b", kEnd, "^end\\b",
      "^(?:else|case)\\b", "^(?:end|else)$");
  add({"Elixir"}, "(?:\\bdo|->|^else|^rescue|^after|^catch)$", kEnd, "^end\\b",
      "^(?:else|rescue|after|catch)\\b", "^(?:end|else|rescue|after|catch)$");
  add({"Julia"},
      "^(?:function|macro|if|for|while|begin|let|struct|mutable\\s+struct|try|else|elseif|catch|"
      "finally|quote)\\b|\\bdo(?:\\s+[\\w, ()]+)?$",
      kEnd, "^end\\b", "^(?:else|elseif|catch|finally)\\b", "^(?:end|else|elseif|catch|finally)$");
  add({"CMake"}, "^(?:if|foreach|while|function|macro|block|else|elseif)\\s*\\(.*\\)$", "^$",
      "^end(?:if|foreach|while|function|macro|block)\\b", "^(?:else|elseif)\\b",
      "^(?:end(?:if|foreach|while|function|macro|block)|else|elseif)$");
  // Elements that have no content are opened and ended at once.
  constexpr char kTag[] =
      "<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\\b)([A-Za-z][\\w:.-]*"
      ")"
      "(?:\\s[^<>]*)?(?<![/=-])>$";
  add({"HTML", "XML", "Vue", "Svelte", "PHP (HTML)", "Django HTML Template", "Jinja", "SVG",
       "JavaScript React (JSX)", "TypeScript React (TSX)"},
      kTag, "^$", "^</[A-Za-z][\\w:.-]*", "^$(?=x)", "^</[A-Za-z][\\w:.-]*\\s*>$");
  return all;
}

// Null: words open no blocks in this language.
const WordBlocks* blocksOf(const QString& language) {
  static const QHash<QString, WordBlocks> all = makeBlocks();
  const auto found = all.constFind(language);
  return found == all.constEnd() ? nullptr : &*found;
}

bool matches(const QRegularExpression& one, const QString& text) {
  return one.match(text).hasMatch();
}

}  // namespace

bool hasWordBlocks(const QString& language) { return blocksOf(language) != nullptr; }

bool wordsOpenBlock(const QByteArray& code, const QString& language) {
  const WordBlocks* blocks = blocksOf(language);
  if (!blocks || code.size() > kMostOfLine) return false;
  const QString text = QString::fromUtf8(code.trimmed());
  return matches(blocks->opens, text) && !matches(blocks->same, text);
}

bool isBlockEnd(const QByteArray& code, const QString& language) {
  const WordBlocks* blocks = blocksOf(language);
  return blocks && code.size() <= kMostOfLine &&
         matches(blocks->complete, QString::fromUtf8(code.trimmed()));
}

int lineOfBlock(const LineText& textOf, int line, const QString& language) {
  const WordBlocks* blocks = blocksOf(language);
  if (!blocks) return -1;
  int inner = 0;  // blocks that end between the two
  for (int above = line - 1; above >= std::max(0, line - kMostLooked); --above) {
    const QByteArray code = textOf(above).trimmed();
    if (code.isEmpty() || code.size() > kMostOfLine) continue;
    const QString text = QString::fromUtf8(code);
    if (matches(blocks->ends, text)) {
      ++inner;
    } else if (matches(blocks->divides, text)) {
      if (inner == 0) return above;
    } else if (wordsOpenBlock(code, language) && inner-- == 0) {
      return above;
    }
  }
  return -1;
}

}  // namespace waferpair::editor
