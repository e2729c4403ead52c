# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of an evaluation: Markdown tables of what evaluate.py found. Standard library only."""

import golf
import positions
import scores

SUGGESTION, SUGGESTION_GATED, REALISTIC = "suggestion", "suggestion, if likely", "as in the editor"
FILE_ALONE, PAUSE, NETWORK = "file alone", "after a pause", "network alone"
COPY, NGRAM, BUFFER_WORDS = "copy from file", "7-gram and cache", "buffer words"
PREVIOUS = "previous model"
METHODS = (SUGGESTION, FILE_ALONE, PAUSE, NETWORK, PREVIOUS, COPY, NGRAM)
BASELINES = (COPY, NGRAM)
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

NOTES = {
    SUGGESTION: "what waferd suggests, with other files of the project open",
    SUGGESTION_GATED: "only as much as is likely by the user's default",
    REALISTIC: "the same, asked for when the editor asks; a wrong one costs a key",
    FILE_ALONE: "the suggestion with no other file open",
    PAUSE: "the suggestion when nothing was typed for a while",
    NETWORK: "waferd with the model's weights for copying taken away; words are still healed",
    PREVIOUS: "what waferd suggests with the model named above",
    COPY: "no model: what followed the longest match in the same file",
    NGRAM: "no network: counted words of the training split and of the file",
    BUFFER_WORDS: "no model: the nearest word above that begins like the one being typed",
}


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def percent(value):
    return f"{100 * value:.1f}"


def with_interval(value, bounds, write):
    return f"{write(value)} ({write(bounds[0])} to {write(bounds[1])})"


def strata_of(results):
    """[[results of a file] of a language], for intervals."""
    languages = {}
    for result in results:
        languages.setdefault(result["task"].language, []).append(result)
    file_of = lambda result: positions.file_of(result["task"])
    return [scores.by_file(found, file_of) for found in languages.values()]


def flat(strata):
    return [[item for group in groups for item in group] for groups in strata]


def exact(method):
    return lambda result: result["answers"][method].strip() == result["task"].truth


def similar(method):
    return lambda result: scores.edit_similarity(
        result["answers"][method].strip(), result["task"].truth
    )


def measured_methods(results):
    return [m for m in METHODS if all(m in result["answers"] for result in results)]


def sections(results):
    """(title, results) of the rows."""
    yield "all", results
    for kind in (positions.LINE_START, positions.MID_LINE):
        yield kind, [r for r in results if r["task"].kind == kind]
    for language in dict.fromkeys(r["task"].language for r in results):
        yield language, [r for r in results if r["task"].language == language]


def lines_table(results):
    methods = measured_methods(results)
    rows = []
    for title, chosen in sections(results):
        if not chosen:
            continue
        strata = strata_of(chosen)
        cells = [title, str(len(chosen))]
        for method in methods:
            hit = scores.macro(lambda items: scores.mean(map(exact(method), items)))
            near = scores.macro(lambda items: scores.mean(map(similar(method), items)))
            bounds = scores.interval(strata, hit)
            value = with_interval(hit(flat(strata)), bounds, percent)
            cells.append(f"{value}, {percent(near(flat(strata)))}")
        rows.append(cells)
    return table(["positions", "n", *methods], rows)


def lead(results):
    """What the suggestion has over the best baseline, paired by position."""
    known = [m for m in BASELINES if m in measured_methods(results)]
    strata = strata_of(results)
    rate = lambda method: scores.macro(lambda items: scores.mean(map(exact(method), items)))
    best = max(known, key=lambda method: rate(method)(flat(strata)))
    ours, theirs = exact(SUGGESTION), exact(best)
    gain = scores.macro(lambda items: scores.mean(ours(r) - theirs(r) for r in items))
    value = with_interval(gain(flat(strata)), scores.interval(strata, gain), percent)
    return f"Exact matches of the suggestion over {best}, the best baseline: {value} points."


def certainty_table(results):
    """Right of those the program is the surest of."""
    strata = strata_of(results)
    hit, certainty = exact(SUGGESTION), lambda result: result["certainty"]
    rows = []
    for share in SHARES:

        def precision(drawn):
            items = [item for items in drawn for item in items]
            return scores.precision_of_surest(items, share, certainty, hit)

        value = with_interval(precision(flat(strata)), scores.interval(strata, precision), percent)
        rows.append([f"{share:.0%}", value])
    return table(["shown, surest first", "exact match %"], rows)


def gates_table(results):
    """What is shown for each least probability."""
    strata = strata_of(results)
    rows = []
    for least in results[0]["gated"]:
        line = lambda result: result["gated"][least].strip()
        shows = lambda result: bool(line(result))
        fits = lambda result: result["task"].truth.startswith(line(result))
        shown = scores.macro(lambda items: scores.mean(map(shows, items)))

        def right(drawn):
            kept = [r for items in drawn for r in items if shows(r)]
            return scores.mean(map(fits, kept)) if kept else 0.0

        lengths = [len(line(r)) for r in results if shows(r)]
        rows.append(
            [
                f"{least:.0%}",
                with_interval(shown(flat(strata)), scores.interval(strata, shown), percent),
                with_interval(right(flat(strata)), scores.interval(strata, right), percent),
                f"{scores.mean(lengths):.1f}" if lengths else "-",
            ]
        )
    head = ["least probability", "positions with a suggestion %", "of these right %", "characters"]
    return table(head, rows)


def golf_table(games):
    rows = []
    for method in GAMES:
        if method not in games:
            continue
        languages = {}
        for task, game in games[method]:
            languages.setdefault(task.language, []).append((task, game))
        strata = [
            scores.by_file(found, lambda item: positions.file_of(item[0]))
            for found in languages.values()
        ]
        of_games = lambda figure: scores.macro(lambda items: figure([g for _, g in items]))
        matched = of_games(golf.matched_ratio)
        saved = of_games(golf.actions_saved)
        rows.append(
            [
                method,
                with_interval(matched(flat(strata)), scores.interval(strata, matched), "{:.3f}".format),
                f"{of_games(golf.moves_normalised)(flat(strata)):.3f}",
                percent(of_games(golf.perfect_lines)(flat(strata))),
                with_interval(saved(flat(strata)), scores.interval(strata, saved), percent),
            ]
        )
    head = ["who suggests", "matched ratio", "moves, normalised", "perfect lines %"]
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
    rows = []
    write = "{:.3f}".format
    for language, windows in found.items():
        strata = [[[window] for window in windows]]
        bounds = scores.interval(strata, scores.macro(scores.ratio))
        rows.append([language, with_interval(scores.ratio(windows), bounds, write), str(len(windows))])
    strata = [[[window] for window in windows] for windows in found.values()]
    ratio = scores.macro(scores.ratio)
    value = with_interval(ratio(flat(strata)), scores.interval(strata, ratio), write)
    rows.append(["macro", value, str(sum(map(len, found.values())))])
    return table(["language", "bits per byte", "windows"], rows)


def latency_table(results):
    rows = []
    for title, name in (("new place", "cold"), ("one more key", "warm")):
        answers = [result[name] for result in results]
        cells = [title]
        for times in ([a.first for a in answers], [a.whole for a in answers]):
            cells += [f"{1000 * scores.percentile(times, share):.1f}" for share in (0.5, 0.9)]
        prompts = [f"{scores.mean(getattr(a, f) for a in answers):.0f}" for f in ("prompt", "computed")]
        rows.append(cells + prompts)
    head = ["", "first text ms p50", "p90", "whole line ms p50", "p90"]
    return table([*head, "prompt tokens", "of these computed"], rows)


def infilling(pairs):
    hits = [answer == truth for truth, answer in pairs]
    strata = [[[hit] for hit in hits]]
    share = scores.macro(scores.mean)
    value = with_interval(scores.mean(hits), scores.interval(strata, share), percent)
    return f"Exact match, indentation included: {value} % of {len(hits)} tasks."


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        lines = [line.split(":", 1) for line in file if ":" in line]
    found = {key.strip(): value.strip() for key, value in lines}
    flags = found.get("flags", "").split()
    known = [f for f in ("avx2", "avx512f", "avx512_vnni", "amx_int8", "amx_bf16") if f in flags]
    return f"{found.get('model name', 'unknown processor')} ({', '.join(known)})"


def head(run):
    facts, options = run.facts, run.options
    lines = [
        f"Measured on {facts['date']} by `training/evaluate.py`, seed {options.seed}, on this very file:",
        "",
        f"- `{facts['file']}`, {facts['file_bytes']:,} bytes, SHA-256 `{facts['sha256']}`",
        f"- {facts['version']}; {facts['model']['architecture']}, "
        f"{facts['model']['parameters']:,} parameters, context {facts['model']['context']}",
        f"- processor: {processor()}; waferd picks its kernels by what it offers",
    ]
    if facts["previous"]:
        lines.append(f"- previous model: `{facts['previous'][0]}`, SHA-256 `{facts['previous'][1]}`")
    if facts["absent"]:
        lines.append(f"- the held-out projects have no {', '.join(facts['absent'])}")
    if options.project_mb > 0:
        context = (
            f"up to {options.project_mb:g} MB of other files of the same project and language are open, "
            "those of the nearest folders first; never the file's own text but what is around the cursor"
        )
    else:
        context = "no other file is open"
    lines.append(f"- project: {context}")
    return "\n".join(lines)


def page(run):
    results, facts = run.results, run.facts
    used = [m for m in METHODS + GAMES if m in measured_methods(results) or m in run.games]
    notes = [f"- *{method}*: {NOTES[method]}" for method in dict.fromkeys(used)]
    parts = [
        head(run),
        "Intervals are 95 %, by bootstrap over files (bits per byte: over windows). Over several "
        "languages each counts the same.",
        "\n".join(notes),
        "## Completing a line",
        "The rest of a line is missing; half of the places at its first character that is not blank, half at "
        "a random one behind it. Exact match % (95 %), edit similarity %, of the line alone and without "
        "blanks around it.",
        lines_table(results),
        lead(results),
        "## Showing only what is likely",
        "The program's own certainty of the whole line, asked for by `min_probability`:",
        certainty_table(results),
        "What is shown where a suggestion ends as soon as it is, as a whole, less likely than the user's "
        "setting (30 % by default); right: the line goes on like this.",
        gates_table(results),
        "## Completion golf",
        f"{len(run.games[SUGGESTION])} whole lines are written behind what stands above them, with what "
        "stands below in sight. At each character the top suggestion is taken when the line goes on like "
        "it and it has two characters or more. Matched ratio: characters that came so. Moves, "
        "normalised: 0 when each line was one, 1 when all was typed. Perfect lines: complete at once.",
        golf_table(run.games),
        golf_languages_table(run.games),
        "## Bits per byte",
        "Plain text in windows of 512 tokens, by `waferctl perplexity`.",
        bits_table(facts["bits"]),
    ]
    if "humaneval" in facts:
        parts += ["## HumanEval-Infilling, single line", infilling(facts["humaneval"])]
    parts += [
        "## Time and memory",
        "Seen from the client, while other programs kept the processor busy or not.",
        latency_table(results),
        f"Ready {1000 * facts['load_seconds']:.0f} ms after the start of waferd; "
        f"{facts['loaded_bytes'] / 1e6:.1f} MB in memory then, {facts['greatest_bytes'] / 1e6:.1f} MB at most "
        f"with a project open; the file has {facts['file_bytes'] / 1e6:.2f} MB.",
    ]
    return "\n\n".join(parts)
