"""The differences between two scenes of one viewer, sent instead of whole scenes."""

from __future__ import annotations

from operator import attrgetter

from msgspec import UNSET, Struct, UnsetType, field, structs

from upcard.table.offers import Offers
from upcard.table.scene import LastTrick, MarkView, Order, SceneView, SeatOrDummy, SeatView, ZoneView


class SceneChanges(Struct, omit_defaults=True):
    """The fields of a scene that have changed; missing fields have not."""

    phase: str | UnsetType = UNSET
    deal: int | UnsetType = UNSET
    trump: str | UnsetType | None = UNSET
    headline: str | UnsetType = UNSET
    prompt: str | UnsetType = UNSET
    to_act: list[int] | UnsetType = UNSET
    hand: list[str] | UnsetType = UNSET
    open: list[str] | UnsetType = UNSET
    order: Order | UnsetType = UNSET
    ahead: SeatOrDummy | UnsetType | None = UNSET
    last_trick: LastTrick | UnsetType | None = UNSET
    offers: Offers | UnsetType = UNSET
    result: list[str] | UnsetType = UNSET
    finished: list[list[MarkView]] | UnsetType = UNSET
    pot: int | UnsetType | None = UNSET
    done: bool | UnsetType = UNSET
    winners: list[int] | UnsetType = UNSET
    marks: list[MarkView] | UnsetType = UNSET
    counts: bool | UnsetType = UNSET
    seats: list[SeatView] = field(default_factory=list)
    """The seats that have changed, identified by their numbers."""
    zones: list[ZoneView] = field(default_factory=list)
    """The zones that have changed or are new, identified by their ids."""
    zone_ids: list[str] | UnsetType = UNSET
    """The ids of all zones in the order to draw them, if the list has changed; a zone that is not listed is gone."""


_WHOLE = tuple(name for name in SceneChanges.__struct_fields__ if name not in ("seats", "zones", "zone_ids"))
_whole_fields = attrgetter(*_WHOLE)


def scene_changes(before: SceneView, after: SceneView) -> SceneChanges:
    """The changes from `before` to `after`, two scenes of the same table and viewer."""
    changes = SceneChanges()
    for name, was, now in zip(_WHOLE, _whole_fields(before), _whole_fields(after), strict=True):
        if was is not now and was != now:
            setattr(changes, name, now)
    changes.seats = [now for was, now in zip(before.seats, after.seats, strict=True) if was != now]
    if before.zones != after.zones:
        changes.zones = _changed_zones(before.zones, after.zones)
        ids = [zone.id for zone in after.zones]
        if ids != [zone.id for zone in before.zones]:
            changes.zone_ids = ids
    return changes


def _changed_zones(before: list[ZoneView], after: list[ZoneView]) -> list[ZoneView]:
    were = {zone.id: zone for zone in before}
    return [zone for zone in after if were.get(zone.id) != zone]


def applied(scene: SceneView, changes: SceneChanges) -> SceneView:
    """A new scene with these changes applied; `scene` itself is not modified."""
    whole = {name: value for name in _WHOLE if (value := getattr(changes, name)) is not UNSET}
    seats = {seat.seat: seat for seat in [*scene.seats, *changes.seats]}
    zones = {zone.id: zone for zone in [*scene.zones, *changes.zones]}
    ids = [zone.id for zone in scene.zones] if changes.zone_ids is UNSET else changes.zone_ids
    return structs.replace(scene, **whole, seats=[*seats.values()], zones=[zones[name] for name in ids])
