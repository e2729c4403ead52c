# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of an evaluation: Markdown tables of what evaluate.py found. Standard library only."""

import golf
import positions
import scores
import twins

SUGGESTION, SUGGESTION_GATED, REALISTIC = "suggestion", "suggestion, if likely", "as in the editor"
FILE_ALONE, PAUSE, NETWORK = "file alone", "after a pause", "network alone"
COPY, COPY_PROJECT = "copy from file", "copy from project"
NGRAM, BUFFER_WORDS = "7-gram and cache", "buffer words"
PREVIOUS = "previous model"
UNHEALED, COPIED, UNCHECKED = "no healing", "file alone, unchecked", "unchecked"
METHODS = (SUGGESTION, FILE_ALONE, PAUSE, NETWORK, PREVIOUS, COPY, COPY_PROJECT, NGRAM)
BASELINES = (COPY, COPY_PROJECT, NGRAM)
GAMES = (
    SUGGESTION,
    SUGGESTION_GATED,
    REALISTIC,
    FILE_ALONE,
    NETWORK,
    PREVIOUS,
    COPY,
    NGRAM,
    BUFFER_WORDS,
)
SHARES = (0.1, 0.2, 0.3, 0.5, 1.0)

# What each part adds: (name, method), each with all parts of those before it.
ABLATION = (
    ("network alone", UNHEALED),
    ("+ words healed at the cursor", NETWORK),
    ("+ copies from the file", COPIED),
    ("+ copies from the project", UNCHECKED),
    ("+ checks", SUGGESTION),
)

NOTES = {
    SUGGESTION: "what waferd suggests, with other files of the project open",
    SUGGESTION_GATED: "only as much as is likely by the user's default",
    REALISTIC: "the same, asked for when the editor asks; a wrong one costs a key",
    FILE_ALONE: "the suggestion with no other file open",
    PAUSE: "the suggestion when nothing was typed for a while",
    NETWORK: "waferd with the model's weights for copying taken away; words are still healed",
    PREVIOUS: "what waferd suggests with the model named above",
    COPY: "no model: what followed the longest match in the same file",
    COPY_PROJECT: "no model: the same, in the files that the program is given, too",
    NGRAM: "no network: counted words of the training split and of the file",
    BUFFER_WORDS: "no model: the nearest word above that begins like the one being typed",
}


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def percent(value):
    return f"{100 * value:.1f}"


def strata_of(results, value=lambda result: result):
    """[[[value of a result] of a file] of a language], for intervals."""
    languages = {}
    for result in results:
        languages.setdefault(result["task"].language, []).append(result)
    file_of = lambda result: positions.file_of(result["task"])
    return [
        [[value(result) for result in group] for group in scores.by_file(found, file_of)]
        for found in languages.values()
    ]


def flat(strata):
    return [[item for group in groups for item in group] for groups in strata]


def estimate(strata, statistic, write):
    """A statistic of the strata's items and its interval."""
    low, high = scores.interval(strata, statistic)
    return f"{write(statistic(flat(strata)))} ({write(low)} to {write(high)})"


def macro_mean(results, value):
    return estimate(strata_of(results, value), scores.macro(scores.mean), percent)


def exact(method):
    return lambda result: result["answers"][method] == result["task"].truth


def similar(method):
    return lambda result: scores.edit_similarity(
        result["answers"][method], result["task"].truth
    )


def measured_methods(results):
    return [m for m in METHODS if all(m in result["answers"] for result in results)]


def sections(results):
    """(title, results) of the rows."""
    yield "all", results
    for kind in (positions.LINE_START, positions.MID_LINE):
        yield kind, [r for r in results if r["task"].kind == kind]
    is_test = lambda result: bool(positions.TEST_FILE.search(result["task"].path))
    yield "without test files", [r for r in results if not is_test(r)]
    yield "test files", [r for r in results if is_test(r)]
    for language in dict.fromkeys(r["task"].language for r in results):
        yield language, [r for r in results if r["task"].language == language]


def lines_table(results):
    methods = measured_methods(results)
    rows = []
    for title, chosen in sections(results):
        if not chosen:
            continue
        cells = [title, str(len(chosen))]
        for method in methods:
            near = scores.macro(scores.mean)(flat(strata_of(chosen, similar(method))))
            cells.append(f"{macro_mean(chosen, exact(method))}, {percent(near)}")
        rows.append(cells)
    return table(["positions", "n", *methods], rows)


def ablation_table(results):
    """Of the parts that were measured."""
    known = lambda method: all(method in result["answers"] for result in results)
    parts = [(name, method) for name, method in ABLATION if known(method)]
    rows = []
    for number, (name, method) in enumerate(parts):
        cells = [name]
        for _, chosen in list(sections(results))[:3]:
            cells.append(macro_mean(chosen, exact(method)) if chosen else "-")
        gain = "-"
        if number > 0:
            before, now = exact(parts[number - 1][1]), exact(method)
            gain = macro_mean(results, lambda result: now(result) - before(result))
        near = scores.macro(scores.mean)(flat(strata_of(results, similar(method))))
        rows.append([*cells, gain, percent(near)])
    head = ["parts", "all", positions.LINE_START, positions.MID_LINE, "gain", "edit similarity %"]
    return table(head, rows)


def lead(results):
    """What the suggestion has over the best baseline, paired by position."""
    known = [m for m in BASELINES if m in measured_methods(results)]
    rate = lambda method: scores.macro(scores.mean)(flat(strata_of(results, exact(method))))
    best = max(known, key=rate)
    ours, theirs = exact(SUGGESTION), exact(best)
    gain = macro_mean(results, lambda result: ours(result) - theirs(result))
    return f"Exact matches of the suggestion over {best}, the best baseline: {gain} points."


def certainty_table(results):
    """Right of those the program is the surest of."""
    hit = exact(SUGGESTION)
    strata = strata_of(results, lambda result: (result["certainty"], hit(result)))
    rows = []
    for share in SHARES:

        def precision(drawn):
            items = [item for items in drawn for item in items]
            return scores.precision_of_surest(items, share)

        rows.append([f"{share:.0%}", estimate(strata, precision, percent)])
    return table(["shown, surest first", "exact match %"], rows)


def gates_table(results):
    """What is shown for each least probability."""
    rows = []
    for least in results[0]["gated"]:
        line = lambda result: result["gated"][least]
        fits = lambda result: result["task"].truth.startswith(line(result))
        shown = [result for result in results if line(result)]
        rows.append(
            [
                f"{least:.0%}",
                macro_mean(results, lambda result: bool(line(result))),
                macro_mean(shown, fits) if shown else "-",
                f"{scores.mean(len(line(r)) for r in shown):.1f}" if shown else "-",
            ]
        )
    head = ["least probability", "positions with a suggestion %", "of these right %", "characters"]
    return table(head, rows)


def games_of(played):
    """[[[game] of a file] of a language]"""
    results = [{"task": task, "game": game} for task, game in played]
    return strata_of(results, lambda result: result["game"])


def golf_table(games):
    rows = []
    for method in GAMES:
        if method not in games:
            continue
        strata = games_of(games[method])
        of_all = lambda figure: scores.macro(figure)(flat(strata))
        matched, saved = scores.macro(golf.matched_ratio), scores.macro(golf.actions_saved)
        rows.append(
            [
                method,
                estimate(strata, matched, "{:.3f}".format),
                f"{of_all(golf.moves_normalized):.3f}",
                percent(of_all(golf.perfect_lines)),
                estimate(strata, saved, percent),
            ]
        )
    head = ["who suggests", "matched ratio", "moves, normalized", "perfect lines %"]
    return table(head + ["keys saved %, a wrong one costs one"], rows)


def golf_languages_table(games):
    methods = [m for m in GAMES if m in games]
    rows = []
    for language in dict.fromkeys(task.language for task, _ in games[SUGGESTION]):
        cells = [language, str(sum(task.language == language for task, _ in games[SUGGESTION]))]
        for method in methods:
            played = [game for task, game in games[method] if task.language == language]
            cells.append(f"{golf.matched_ratio(played):.3f}")
        rows.append(cells)
    return table(["matched ratio", "lines", *methods], rows)


def bits_table(found):
    ratio, write = scores.macro(scores.ratio), "{:.3f}".format
    groups = {language: [[window] for window in windows] for language, windows in found.items()}
    rows = [
        [language, estimate([windows], ratio, write), str(len(windows))]
        for language, windows in groups.items()
    ]
    count = sum(map(len, groups.values()))
    rows.append(["macro", estimate(list(groups.values()), ratio, write), str(count)])
    return table(["language", "bits per byte", "windows"], rows)


def latency_table(results):
    rows = []
    for title, name in (("new place", "cold"), ("one more key", "warm")):
        answers = [result[name] for result in results]
        cells = [title]
        for times in ([a.first for a in answers], [a.whole for a in answers]):
            cells += [f"{1000 * scores.percentile(times, share):.1f}" for share in (0.5, 0.9)]
        for field in ("prompt", "computed"):
            cells.append(f"{scores.mean(getattr(answer, field) for answer in answers):.0f}")
        rows.append(cells)
    head = ["", "first text ms p50", "p90", "whole line ms p50", "p90"]
    return table([*head, "prompt tokens", "of these computed"], rows)


def infilling(pairs):
    strata = [[[answer.strip() == truth] for truth, answer in pairs]]
    value = estimate(strata, scores.macro(scores.mean), percent)
    return f"Exact match with the cursor behind the indentation: {value} % of {len(pairs)} tasks."


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        lines = [line.split(":", 1) for line in file if ":" in line]
    found = {key.strip(): value.strip() for key, value in lines}
    flags = found.get("flags", "").split()
    known = [f for f in ("avx2", "avx512f", "avx512_vnni", "amx_int8", "amx_bf16") if f in flags]
    return f"{found.get('model name', 'unknown processor')} ({', '.join(known)})"


def head(run):
    facts, options = run.facts, run.options
    model = facts["model"]
    lines = [
        f"Measured on {facts['date']} by `training/evaluate.py`, seed {options.seed}, on this very "
        "file:",
        "",
        f"- `{facts['file']}`, {facts['file_bytes']:,} bytes, SHA-256 `{facts['sha256']}`",
        f"- {facts['version']}; {model['architecture']}, {model['parameters']:,} parameters, "
        f"context {model['context']}",
        f"- processor: {processor()}; waferd picks its kernels by what it offers",
    ]
    if facts["previous"]:
        name, digest = facts["previous"]
        lines.append(f"- previous model: `{name}`, SHA-256 `{digest}`")
    if facts["absent"]:
        lines.append(f"- the held-out projects have no {', '.join(facts['absent'])}")
    context = "no other file is open"
    if options.project_mb > 0:
        context = (
            f"up to {options.project_mb:g} MB of other files of the same project and language are "
            "open, those of the nearest folders first, none that shares more than "
            f"{twins.MUCH:.0%} of its runs of {twins.RUN} words with the one under test; of the "
            "file itself what is around the cursor"
        )
    lines.append(f"- project: {context}")
    return "\n".join(lines)


INTERVALS = """\
Intervals are 95 %, by bootstrap over files (bits per byte: over windows). Over several languages
each counts the same."""
LINES = """\
The rest of a line is missing; half of the places at its first character that is not blank, half at
a random one behind it. Exact match % (95 %), edit similarity %, of the line alone and without
blanks around it."""
PARTS = """\
The same places, exact match % (95 %); gain: over the row above, place by place."""
CERTAINTY = "The program's own certainty of the whole line, its end included (`probability`):"
GATES = """\
What is shown where a suggestion ends as soon as it is, as a whole, less likely than the user's
setting (75 % by default). Right: the line goes on like this."""
GOLF = """\
Whole lines ({count} of them) are written behind what stands above, with what stands below in sight.
At each character the top suggestion is taken when the line goes on like it and it has two
characters or more. Matched ratio: characters that came so. Moves, normalized: 0 when each line was
one, 1 when all was typed. Perfect lines: complete at once."""
BITS = "Plain text in windows of 512 tokens, by `waferctl perplexity`."
TIMES = "Seen from the client, on a computer that may have been busy with other things."
MEMORY = """\
Ready {ready:.0f} ms after the start of waferd; {loaded:.1f} MB in memory then, {most:.1f} MB at
most with a project open; the file has {file:.2f} MB."""


def page(run):
    results, facts, games = run.results, run.facts, run.games
    used = dict.fromkeys([*measured_methods(results), *(m for m in GAMES if m in games)])
    parts = [
        head(run),
        INTERVALS,
        "\n".join(f"- *{method}*: {NOTES[method]}" for method in used),
        "## Completing a line",
        LINES,
        lines_table(results),
        lead(results),
        "## What each part adds",
        PARTS,
        ablation_table(results),
        "## Showing only what is likely",
        CERTAINTY,
        certainty_table(results),
        GATES,
        gates_table(results),
        "## Completion golf",
        GOLF.format(count=len(games[SUGGESTION])),
        golf_table(games),
        golf_languages_table(games),
    ]
    if "bits" in facts:
        parts += ["## Bits per byte", BITS, bits_table(facts["bits"])]
    if "humaneval" in facts:
        parts += ["## HumanEval-Infilling, single line", infilling(facts["humaneval"])]
    memory = MEMORY.format(
        ready=1000 * facts["load_seconds"],
        loaded=facts["loaded_bytes"] / 1e6,
        most=facts["greatest_bytes"] / 1e6,
        file=facts["file_bytes"] / 1e6,
    )
    return "\n\n".join([*parts, "## Time and memory", TIMES, latency_table(results), memory])
