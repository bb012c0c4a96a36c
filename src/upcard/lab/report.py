"""The report of a study, as a self-contained HTML file and as Markdown.

Both are made from the same sections. Plots are drawn when the report is written and embedded as SVG, so that the page
loads nothing and runs no script.
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
from upcard.lab.intervals import Interval
from upcard.lab.measures import MEASURES, Measure, Measured
from upcard.lab.seating import name_in_results
from upcard.lab.study import Study
from upcard.rules.lineage import root_of
from upcard.rules.phrases import counted, plural

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
    plot: dict[str, Any] | None = None
    told: str = ""
    """The alternative text of the plot."""


HEADLINES = {
    "mean of moves": "moves",
    "deals": "deals",
    "the dealer": "won by the dealer",
    "who begins": "won by whoever begins",
    "legal moves of a decision": "legal moves of a decision",
    "standard deviation of points": "spread of the points",
    "decisions in which a player who cannot win settles who does": "kingmaking",
}
"""The numbers in the first table of a report, with their names there."""


def sections(study: Study, command: str, sweep: list[float] | None = None) -> list[Section]:
    """The whole report, results first. With a `sweep`, the arms are these values of one number, and plots are curves
    over them."""
    measured = [study.found(arm) for arm in range(len(study.arms))]
    differences = [study.differences(arm) for arm in range(1, len(study.arms))]
    looks = len(differences) * len(measured[0])
    sure = [study.differences(arm, looks) for arm in range(1, len(study.arms))]
    parts = [_short_report(study, measured, sure)]
    if differences:
        parts.append(_what_differs(study, measured, sure))
    parts += [_rules(study), _about(study, command)]
    for measure in MEASURES:
        rows = [[one for one in arm if one.measure == measure.name] for arm in measured]
        if rows[0]:
            than = [[one for one in arm if one.measure == measure.name] for arm in differences]
            parts.append(_measured(study, measure, rows, than, sweep))
    return parts


def _short_report(study: Study, measured: list[list[Measured]], sure: list[list[Measured]]) -> Section:
    """The summary, for readers who read no further."""
    packs = ", on the same packs" if study.same_packs else ", on packs that differ"
    each = f" of each{packs}" if sure else ""
    who = {_players(arm.by) for arm in study.arms}
    by = f" Who plays: {who.pop()}." if len(who) == 1 else ""
    deals = "" if study.dealer is None else f" Seat {study.dealer} always deals first."
    text = [f"{counted(study.number, study.unit)}{each}, seed {study.seed}{_enough(study)}.{by}{deals}"]
    text += [_told_of(study, arm, measured[0], one) for arm, one in enumerate(sure, 1)]
    text.append(_balance(study.arms[0].name, measured[0]))
    text.append(
        f"Intervals half as wide take four times as many {plural(study.unit)}: --number {4 * study.number}. All this "
        "holds for these players: a rule that they never use or do not understand shows no effect."
    )
    labels = [one.label for one in measured[0] if one.label in HEADLINES]
    rows = [[_number(one) for one in arm if one.label in HEADLINES] for arm in measured]
    named = [[arm.name, *row] for arm, row in zip(study.arms, rows, strict=True)]
    return Section("In short", text, ["", *(HEADLINES[label] for label in labels)], named)


def _enough(study: Study) -> str:
    """Whether the study was finished, and whether it reached the goal."""
    if study.reached:
        return f"; they were enough for {study.goal}"
    stopped = f"; it was stopped before all {study.asked} were played" if study.number < study.asked else ""
    return stopped + (f"; {study.goal} would take about {rounded(study.needed)}" if study.goal else "")


def _told_of(study: Study, arm: int, usually: list[Measured], sure: list[Measured]) -> str:
    """The numbers in which an arm differs from the first, whose numbers are `usually`."""
    name, usual = study.arms[arm].name, study.arms[0].name
    if study.untouched[arm]:
        return f"“{name}”: {UNTOUCHED}."
    differing = [_in_words(usual) for usual, one in zip(usually, sure, strict=True) if one.told]
    if not differing:
        return f"“{name}” cannot be told from “{usual}” in any of {len(sure)} numbers."
    others = "" if len(differing) == len(sure) else " Whether it does in the others cannot be told."
    return (
        f"“{name}” differs from “{usual}” in {len(differing)} of {len(sure)} numbers: {', '.join(differing)}.{others}"
    )


def _in_words(one: Measured) -> str:
    """The name of a number outside the section of its measure."""
    return one.label if one.even is None else f"won by {one.label}"


def _balance(name: str, measured: list[Measured]) -> str:
    uneven = [f"{one.label} wins {_number(one)}" for one in measured if one.even is not None and one.told]
    even = next(one.even for one in measured if one.even is not None)
    if not uneven:
        return f"In “{name}”, no seat or place can be told to win more or less than an even share, {_short(even)}."
    return f"“{name}” is uneven: {'; '.join(uneven)}. An even share is {_short(even)}."


def _about(study: Study, command: str) -> Section:
    text = [
        "Intervals are in brackets: in 95 of 100 reports, all numbers of a measure in one column lie within theirs."
    ]
    rows = [[arm.name, _players(arm.by), arm.identity] for arm in study.arms]
    rows += [[file.name, "", f"SHA-256 of the file: {known}"] for file, known in study.files.items()]
    rows.append(["made by", f"Upcard {__version__}", command])
    return Section("What was played", text, ["", "players", "rules, exactly"], rows)


def _players(by: Any) -> str:
    names = [one if isinstance(one, str) else name_in_results(one) for one in listed_players(by)]
    return f"{names[0]} on every seat" if len(set(names)) == 1 else ", ".join(names)


def _rules(study: Study) -> Section:
    rows = [
        [arm.name, rule]
        for arm in study.arms
        for rule in arm.rules or [f"as the page of {root_of(arm.setup.game).title} has it"]
    ]
    return Section("The rules that differ from the page", [], ["", "rule"], rows)


def _what_differs(study: Study, measured: list[list[Measured]], sure: list[list[Measured]]) -> Section:
    """All significant differences, corrected for the number of comparisons in the whole report."""
    rows = []
    for arm, differences in enumerate(sure, 1):
        name = study.arms[arm].name
        if study.untouched[arm]:
            rows.append([name, UNTOUCHED, "", "", ""])
            continue
        differing = [
            [name, one.label, _short(before.value), _short(after.value), _difference(one)]
            for one, before, after in zip(differences, measured[0], measured[arm], strict=True)
            if one.told
        ]
        rows += differing or [[name, "nothing: no difference can be told", "", "", ""]]
    usual = study.arms[0].name
    text = [
        f"Differences from “{usual}” that are sure even though this report looks for {len(sure) * len(sure[0])}: in "
        "95 of 100 such reports, all that are named are real. Of the others it cannot be told whether there are any."
    ]
    return Section("What can be told", text, ["", "what differs", usual, "here", "difference"], rows)


def _measured(
    study: Study,
    measure: Measure,
    measured: list[list[Measured]],
    differences: list[list[Measured]],
    sweep: list[float] | None,
) -> Section:
    names = [arm.name for arm in study.arms]
    labels = [one.label for one in measured[0]]
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
    plot = _curve(names, measured, sweep) if sweep else _points(names, measured)
    caption = f"{measure.title}: the numbers of the table, with their intervals"
    return Section(measure.title, text, head, rows, plot, caption)


def _uneven(names: list[str], measured: list[list[Measured]]) -> str:
    uneven = [
        f"{name}: {', '.join(one.label for one in arm if one.told)}" for name, arm in zip(names, measured, strict=True)
    ]
    shown = [one for one in uneven if not one.endswith(": ")]
    return f"Uneven here: {'; '.join(shown)}." if shown else "Here too, as far as can be told."


def _number(one: Measured) -> str:
    between = _between(one.interval)
    return between if math.isnan(one.value) else f"{_short(one.value)} ({between})"


def _difference(one: Measured) -> str:
    if math.isnan(one.value):
        return _between(one.interval)
    doubt = "" if one.told else ", cannot be told"
    seen = f"{_short(one.value, '+')}" if one.value else "none seen"
    return f"{seen} ({_between(one.interval, '+')}){doubt if one.value else ''}"


def _between(interval: Interval, sign: str = "") -> str:
    if math.isinf(interval.half):
        return "too few to say"
    return f"{_short(interval.low, sign)} to {_short(interval.high, sign)}"


def _short(value: float, sign: str = "") -> str:
    """Three significant digits, without an exponent."""
    return f"{value:{sign}.3g}" if abs(value) < 999 else f"{value:{sign}.0f}"


# --------------------------------------------------------------------------------------------------------------- plots


def _values(names: Sequence[str], measured: list[list[Measured]]) -> Iterator[dict[str, Any]]:
    for name, arm in zip(names, measured, strict=True):
        for one in arm:
            if not math.isinf(one.interval.half) and not math.isnan(one.value):
                low, high = one.interval.low, one.interval.high
                yield {"arm": name, "label": one.label, "value": one.value, "low": low, "high": high}


def _points(names: list[str], measured: list[list[Measured]]) -> dict[str, Any]:
    """A plot with a row for each number, and in it a point with its interval for each arm. Numbers of different kinds
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


def _curve(names: list[str], measured: list[list[Measured]], sweep: list[float]) -> dict[str, Any]:
    """A plot with a curve for each number over the values of the sweep, and a band for its interval. Numbers of
    different kinds are in separate panels."""
    at = dict(zip(names, sweep, strict=True))
    values = [value | {"at": at[value["arm"]]} for value in _values(names, measured)]
    across = {"field": "at", "type": "quantitative", "title": names[0].partition("=")[0], "scale": {"zero": False}}
    up = {"type": "quantitative", "title": None, "scale": {"zero": False}}
    panels = _in_panels(measured)
    colour = {} if panels else {"color": {"field": "label", "title": None, "sort": None}}
    band = {"x": across, "y": up | {"field": "low"}, "y2": {"field": "high"}} | colour
    line = {"x": across, "y": up | {"field": "value"}} | colour
    layers = [
        {"mark": {"type": "area", "opacity": 0.25}, "encoding": band},
        {"mark": {"type": "line", "point": True}, "encoding": line},
    ]
    return _plot(values, {"layer": layers, "width": 460, "height": 140 if panels else 220}, "y" if panels else "")


def _in_panels(measured: list[list[Measured]]) -> bool:
    """Whether each number of a measure has a scale of its own; shares that are compared with an even one have a common
    scale."""
    return len(measured[0]) > 1 and measured[0][0].even is None


LOOK = {
    "padding": {"left": 60, "right": 30, "top": 5, "bottom": 5},
    "config": {"axis": {"labelLimit": 400, "labelOverlap": True}, "legend": {"orient": "top"}},
}
"""The look of plots, with space for readers whose fonts are wider than those used for the layout."""


def _plot(values: list[dict[str, Any]], own: dict[str, Any], panels: str) -> dict[str, Any]:
    """A plot; with `panels` ("x" or "y"), one panel per number, each with its own scale on that axis."""
    if panels:
        header = {"title": None, "labelOrient": "top", "labelAnchor": "start"}
        row = {"field": "label", "type": "nominal", "sort": None, "header": header}
        own = {"facet": {"row": row}, "spec": own, "resolve": {"scale": {panels: "independent"}}}
    return {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "data": {"values": values}} | LOOK | own


# ---------------------------------------------------------------------------------------------------------- written out

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
    if part.rows:
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in part.head)
        lines.append(f'<div class="table"><table><tr>{head}</tr>')
        for row in part.rows:
            first, *rest = map(html.escape, row)
            lines.append(f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>')
        lines.append("</table></div>")
    if part.plot and part.plot["data"]["values"]:
        lines.append(f'<figure role="img" aria-label="{html.escape(part.told)}">{draw(part.plot)}</figure>')
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
