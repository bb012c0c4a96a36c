"""The report of a study, as a self-contained HTML file and as Markdown.

Both have the same sections. Plots are drawn when the report is written and embedded as SVG, so that the page loads
nothing and runs no script.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from upcard import __version__
from upcard.lab.arguments import listed_players
from upcard.lab.comparison import UNTOUCHED, rounded
from upcard.lab.distributions import DISTRIBUTED, Distribution, common_bars
from upcard.lab.intervals import Interval
from upcard.lab.measures import MEASURES, Measure, Measured
from upcard.lab.seating import name_in_results
from upcard.lab.study import Study
from upcard.lab.verdicts import balance_of, short, verdict_of
from upcard.laws.numbers import TRIED, trial_line
from upcard.rules.lineage import changed_numbers, root_of
from upcard.rules.phrases import counted, plural
from upcard.rules.sentences import listed

Draw = Callable[[dict[str, Any]], str]
"""Draws a Vega-Lite specification as SVG."""


@dataclass(frozen=True)
class Section:
    """A section of the report."""

    title: str
    text: list[str]
    """Paragraphs."""
    head: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    plots: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    """Each with its alternative text."""


HEADLINES = {
    "mean of moves": "moves",
    "deals": "deals",
    "the dealer": "won by the dealer",
    "who begins": "won by the player who begins",
    "legal moves of a decision": "legal moves of a decision",
    "standard deviation of points": "spread of the points",
    "decisions in which a player who cannot win settles who does": "kingmaking",
}
"""The numbers in the first table of a report, with their column headings."""


def sections(study: Study, command: str, sweep: list[float] | None = None) -> list[Section]:
    """All sections of the report, results first. With a `sweep`, the arms are these values of one number, and the plots
    show the numbers above them."""
    measured = [study.found(arm) for arm in range(len(study.arms))]
    differences = [study.differences(arm) for arm in range(1, len(study.arms))]
    looks = len(differences) * len(measured[0])
    sure = [study.differences(arm, looks) for arm in range(1, len(study.arms))]
    parts = [_verdict(study, measured, sure), _summary(study, measured, sure)]
    if differences:
        parts.append(_significant_differences(study, measured, sure))
    parts += [_rules(study), _about(study, command)]
    for measure in MEASURES:
        rows = [[number for number in arm if number.measure == measure.name] for arm in measured]
        if rows[0]:
            than = [[number for number in arm if number.measure == measure.name] for arm in differences]
            parts.append(_measured(study, measure, rows, than, sweep))
    return parts


def _verdict(study: Study, measured: list[list[Measured]], sure: list[list[Measured]]) -> Section:
    """The verdict, for readers who read no further."""
    text = [verdict_of(study, arm, measured[0], measured[arm], differences) for arm, differences in enumerate(sure, 1)]
    text += [balance_of(arm.name, numbers) for arm, numbers in zip(study.arms, measured, strict=True)]
    return Section("Verdict", text)


def _summary(study: Study, measured: list[list[Measured]], sure: list[list[Measured]]) -> Section:
    """The extent of the study, and its most important numbers."""
    packs = ", on the same packs" if study.same_packs else ", on different packs"
    each = f" of each{packs}" if sure else ""
    who = {_players(arm.by) for arm in study.arms}
    by = f" Players: {who.pop()}." if len(who) == 1 else ""
    deals = "" if study.dealer is None else f" Seat {study.dealer} always deals first."
    only = "" if study.condition is None else f" Only first deals with {study.condition}."
    text = [f"{counted(study.number, study.unit)}{each}, seed {study.seed}{_enough(study)}.{by}{deals}{only}"]
    text += _trials(study)
    text.append(
        f"Intervals half as wide need four times as many {plural(study.unit)}: --number {4 * study.number}. All "
        "results hold for these players: a rule that they never use or do not understand has no effect here."
    )
    labels = [number.label for number in measured[0] if number.label in HEADLINES]
    rows = [[_number(number) for number in arm if number.label in HEADLINES] for arm in measured]
    named = [[arm.name, *row] for arm, row in zip(study.arms, rows, strict=True)]
    return Section("Summary", text, ["", *(HEADLINES[label] for label in labels)], named)


def _trials(study: Study) -> list[str]:
    """A sentence on the trial of other numbers, and its remarks; empty if all numbers are a game's own."""
    tried = [arm for arm in study.arms if changed_numbers(arm.setup.game)]
    if not tried:
        return []
    laws = ", ".join(law.name for law in TRIED)
    names = listed([f"“{arm.name}”" for arm in tried], "and")
    line = f"Numbers other than the game's own were tried before, and break none of the laws {laws}: {names}."
    return [line, *(f"“{arm.name}”: {trial_line(arm.setup)}." for arm in tried)]


def _enough(study: Study) -> str:
    """Whether the study was finished, and whether it reached the goal."""
    if study.reached:
        return f"; they were enough for {study.goal}"
    stopped = f"; stopped before all {study.asked} were played" if study.number < study.asked else ""
    return stopped + (f"; {study.goal} would take about {rounded(study.needed)}" if study.goal else "")


def _about(study: Study, command: str) -> Section:
    text = [
        "Confidence intervals are in brackets: in 95 of 100 reports, all intervals of a measure in one column contain "
        "the true values."
    ]
    rows = [[arm.name, _players(arm.by), arm.identity] for arm in study.arms]
    rows += [[file.name, "", f"SHA-256 of the file: {digest}"] for file, digest in study.files.items()]
    rows.append(["made by", f"Upcard {__version__}", command])
    return Section("What was played", text, ["", "players", "exact rules"], rows)


def _players(by: Any) -> str:
    names = [player if isinstance(player, str) else name_in_results(player) for player in listed_players(by)]
    return f"{names[0]} on every seat" if len(set(names)) == 1 else ", ".join(names)


def _rules(study: Study) -> Section:
    rows = [
        [arm.name, rule]
        for arm in study.arms
        for rule in arm.rules or [f"as in the rulebook of {root_of(arm.setup.game).title}"]
    ]
    return Section("Rules that differ from the rulebook", [], ["", "rule"], rows)


def _significant_differences(study: Study, measured: list[list[Measured]], sure: list[list[Measured]]) -> Section:
    """All significant differences, corrected for the number of comparisons in the whole report."""
    rows = []
    for arm, differences in enumerate(sure, 1):
        name = study.arms[arm].name
        if study.untouched[arm]:
            rows.append([name, UNTOUCHED, "", "", ""])
            continue
        differing = [
            [name, difference.label, short(before.value), short(after.value), _difference(difference)]
            for difference, before, after in zip(differences, measured[0], measured[arm], strict=True)
            if difference.told
        ]
        rows += differing or [[name, "no significant difference", "", "", ""]]
    usual = study.arms[0].name
    text = [
        f"Differences from “{usual}” that are significant after correction for the {len(sure) * len(sure[0])} "
        "comparisons of this report: in 95 of 100 such reports, all that are listed are real. There may be others that "
        "are too small to show in this many."
    ]
    return Section("Significant differences", text, ["", "what differs", usual, "here", "difference"], rows)


def _measured(
    study: Study,
    measure: Measure,
    measured: list[list[Measured]],
    differences: list[list[Measured]],
    sweep: list[float] | None,
) -> Section:
    names = [arm.name for arm in study.arms]
    labels = [number.label for number in measured[0]]
    columns = [(name, list(map(_number, arm))) for name, arm in zip(names, measured, strict=True)]
    columns += [
        (f"{name} minus {names[0]}", list(map(_difference, arm)))
        for name, arm in zip(names[1:], differences, strict=True)
    ]
    if sweep:  # a row for each value
        head, rows = ["", *labels], [[name, *cells] for name, cells in columns]
    else:
        head = ["", *(name for name, _ in columns)]
        rows = [[label, *(cells[place] for _, cells in columns)] for place, label in enumerate(labels)]
    text = [measure.definition, f"Source: {measure.source}"]
    even = measured[0][0].even
    if even is not None:
        text.append(f"In an even game, each of these would be {even:.3g}. {_uneven(names, measured)}")
    plot = _swept(names, measured, sweep) if sweep else _points(names, measured)
    caption = f"{measure.title}: the numbers of the table, with their confidence intervals"
    distributions = [(name, one.distributions) for name, one in zip(names, study.measuring, strict=True)]
    shown = [(name, own[measure.name]) for name, own in distributions if measure.name in own]
    return Section(measure.title, text, head, rows, [*_distribution(study.unit, measure.name, shown), (caption, plot)])


def _uneven(names: list[str], measured: list[list[Measured]]) -> str:
    uneven = [
        f"{name}: {', '.join(number.label for number in arm if number.told)}"
        for name, arm in zip(names, measured, strict=True)
    ]
    shown = [text for text in uneven if not text.endswith(": ")]
    return f"Significantly uneven: {'; '.join(shown)}." if shown else "None of them differs significantly from that."


def _number(number: Measured) -> str:
    between = _between(number.interval)
    return between if math.isnan(number.value) else f"{short(number.value)} ({between})"


def _difference(number: Measured) -> str:
    if math.isnan(number.value):
        return _between(number.interval)
    doubt = "" if number.told else ", not significant"
    seen = f"{short(number.value, '+')}" if number.value else "none seen"
    return f"{seen} ({_between(number.interval, '+')}){doubt if number.value else ''}"


def _between(interval: Interval, sign: str = "") -> str:
    if math.isinf(interval.half):
        return "too few to say"
    return f"{short(interval.low, sign)} to {short(interval.high, sign)}"


# --------------------------------------------------------------------------------------------------------------- plots


def _values(names: Sequence[str], measured: list[list[Measured]]) -> Iterator[dict[str, Any]]:
    for name, arm in zip(names, measured, strict=True):
        for number in arm:
            if not math.isinf(number.interval.half) and not math.isnan(number.value):
                low, high = number.interval.low, number.interval.high
                yield {"arm": name, "label": number.label, "value": number.value, "low": low, "high": high}


def _points(names: list[str], measured: list[list[Measured]]) -> dict[str, Any]:
    """A plot with a row for each number, which has a point with its interval for each arm. Numbers of different kinds
    are in separate panels."""
    across = {
        "field": "value",
        "type": "quantitative",
        "title": None,
        "scale": {"zero": False},
        "axis": {"tickCount": 6},
    }
    row = {"field": "label", "type": "nominal", "title": None, "sort": None}
    apart = {"yOffset": {"field": "arm", "sort": None}, "color": {"field": "arm", "title": None, "sort": None}}
    if _in_panels(measured):
        own = {"y": row | {"field": "arm"}} | ({"color": apart["color"]} if len(names) > 1 else {})
    else:
        own = {"y": row} | (apart if len(names) > 1 else {})
    layers: list[dict[str, Any]] = [
        {"mark": "rule", "encoding": {"x": across | {"field": "low"}, "x2": {"field": "high"}} | own},
        {"mark": {"type": "point", "filled": True, "size": 40}, "encoding": {"x": across} | own},
    ]
    if measured[0][0].even is not None:
        even = {"mark": {"type": "rule", "strokeDash": [4, 4]}, "encoding": {"x": {"datum": measured[0][0].even}}}
        layers.append(even)
    return _plot(list(_values(names, measured)), {"layer": layers, "width": 460}, "x" if _in_panels(measured) else "")


def _distribution(unit: str, measure: str, shown: list[tuple[str, Distribution]]) -> list[tuple[str, dict[str, Any]]]:
    """A plot with the distribution of the number behind a measure, in a panel for each way to play; none without."""
    if not shown:
        return []
    width, least = common_bars(one for _, one in shown)
    title = DISTRIBUTED[measure].title.format(unit=unit)
    values = [
        {"label": name, "from": first - 0.5, "to": first + width - 0.5, "percent": 100 * share}
        for name, one in shown
        for first, share in one.bars(width, least)
    ]
    across = {"field": "from", "type": "quantitative", "title": title, "axis": {"tickMinStep": 1, "format": "d"}}
    up = {"field": "percent", "type": "quantitative", "title": f"% of {plural(unit)}"}
    if measure == "spread":
        up |= {"title": "% of seats"}
    across |= {"scale": {"zero": False, "nice": False}}
    bars: dict[str, Any] = {"mark": "bar", "width": 460, "height": 90}
    bars["encoding"] = {"x": across, "x2": {"field": "to"}, "y": up, "y2": {"datum": 0}}
    caption = f"How often each number of {title} occurs, in percent"
    plot = _plot(values, bars, "y" if len(shown) > 1 else "")
    return [(caption, plot | {"resolve": {"scale": {"y": "shared"}}} if len(shown) > 1 else plot)]


APART = 0.012
"""The distance of points with the same value in a sweep, as a share of its width."""


def _swept(names: list[str], measured: list[list[Measured]], sweep: list[float]) -> dict[str, Any]:
    """A plot with a point and its interval for each number and value of the sweep. Nothing is drawn between the values,
    which are counts. Numbers of different kinds are in separate panels."""
    at = dict(zip(names, sweep, strict=True))
    panels = _in_panels(measured)
    labels = [number.label for number in measured[0]]
    step = 0.0 if panels else APART * (max(sweep) - min(sweep))
    aside = {label: step * (place - (len(labels) - 1) / 2) for place, label in enumerate(labels)}
    values = [value | {"at": at[value["arm"]] + aside[value["label"]]} for value in _values(names, measured)]
    across = {
        "field": "at",
        "type": "quantitative",
        "title": names[0].partition("=")[0],
        "scale": {"zero": False, "padding": 20},
        "axis": {"values": sorted(sweep), "grid": False},
    }
    up = {"type": "quantitative", "title": None, "scale": {"zero": False}}
    colour = {} if panels else {"color": {"field": "label", "title": None, "sort": None}}
    interval = {"x": across, "y": up | {"field": "low"}, "y2": {"field": "high"}} | colour
    point = {"x": across, "y": up | {"field": "value"}} | colour
    layers = [
        {"mark": "rule", "encoding": interval},
        {"mark": {"type": "point", "filled": True, "size": 40}, "encoding": point},
    ]
    return _plot(values, {"layer": layers, "width": 460, "height": 140 if panels else 220}, "y" if panels else "")


def _in_panels(measured: list[list[Measured]]) -> bool:
    """Whether each number of a measure has its own scale; shares that are compared with an even share have a common
    scale."""
    return len(measured[0]) > 1 and measured[0][0].even is None


LOOK = {
    "padding": {"left": 60, "right": 30, "top": 5, "bottom": 5},
    "config": {"axis": {"labelLimit": 400, "labelOverlap": True}, "legend": {"orient": "top"}},
}
"""The style of plots, with room for readers whose fonts are wider than those used for the layout."""


def _plot(values: list[dict[str, Any]], own: dict[str, Any], panels: str) -> dict[str, Any]:
    """A plot; with `panels` ("x" or "y"), one panel per number, each with its own scale on that axis."""
    if panels:
        header = {"title": None, "labelOrient": "top", "labelAnchor": "start"}
        row = {"field": "label", "type": "nominal", "sort": None, "header": header}
        own = {"facet": {"row": row}, "spec": own, "resolve": {"scale": {panels: "independent"}}}
    return {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "data": {"values": values}} | LOOK | own


# -------------------------------------------------------------------------------------------------------------- output

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
h1 { line-height: 1.2; } h2 { margin-top: 2.5rem; }
.table { overflow-x: auto; } table { border-collapse: collapse; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid #ddd; }
td { overflow-wrap: break-word; max-width: 30rem; min-width: 6.5rem; }
th:first-child { font-weight: normal; min-width: 5rem; }
figure { margin: 1rem 0; overflow-x: auto; } svg { min-width: 32rem; max-width: 100%; height: auto; overflow: visible; }
"""


def as_html(title: str, parts: list[Section], draw: Draw) -> str:
    """The report as one self-contained page."""
    heading = html.escape(title)
    body = "\n".join(_html(part, draw) for part in parts)
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{heading}</title>\n'
        f'<meta name="viewport" content="width=device-width">\n'
        f"<style>{STYLE}</style>\n<h1>{heading}</h1>\n{body}\n</html>\n"
    )


def _html(part: Section, draw: Draw) -> str:
    lines = [f"<h2>{html.escape(part.title)}</h2>"]
    lines += [f"<p>{html.escape(text)}</p>" for text in part.text]
    for caption, plot in part.plots:
        if plot["data"]["values"]:
            lines.append(f'<figure role="img" aria-label="{html.escape(caption)}">{draw(plot)}</figure>')
    if part.rows:
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in part.head)
        lines.append(f'<div class="table"><table><tr>{head}</tr>')
        for row in part.rows:
            first, *rest = map(html.escape, row)
            lines.append(f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>')
        lines.append("</table></div>")
    return "\n".join(lines)


def as_markdown(title: str, parts: list[Section]) -> str:
    """The report as Markdown, without plots."""
    lines = [f"# {title}"]
    for part in parts:
        lines += ["", f"## {part.title}", *(line for text in part.text for line in ("", text))]
        if part.rows:
            lines += ["", _row(part.head), _row(["---"] * len(part.head)), *map(_row, part.rows)]
    return "\n".join(lines) + "\n"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
