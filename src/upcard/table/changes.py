"""The differences between two scenes of one viewer, sent in place of whole scenes."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType, field, structs

from upcard.table.offers import Offers
from upcard.table.scene import LastTrick, MarkView, Order, SceneView, SeatOrDummy, SeatView, ZoneView


class SceneChanges(Struct, omit_defaults=True):
    """The fields of a scene that have changed; those that are missing have not."""

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
    seats: list[SeatView] = field(default_factory=list)
    """The seats that are different, by their numbers."""
    zones: list[ZoneView] = field(default_factory=list)
    """The zones that are different or new, by their ids."""
    zone_ids: list[str] | UnsetType = UNSET
    """All zones in the order to draw them, if that is different; one that is not named is gone."""


_WHOLE = tuple(name for name in SceneChanges.__struct_fields__ if name not in ("seats", "zones", "zone_ids"))


def scene_changes(before: SceneView, after: SceneView) -> SceneChanges:
    """What differs in `after` from `before`; both are scenes of the same table and viewer."""
    told = SceneChanges(
        seats=[now for was, now in zip(before.seats, after.seats, strict=True) if was != now],
        zones=_changed_zones(before.zones, after.zones),
    )
    for name in _WHOLE:
        now = getattr(after, name)
        if now != getattr(before, name):
            setattr(told, name, now)
    ids = [zone.id for zone in after.zones]
    if ids != [zone.id for zone in before.zones]:
        told.zone_ids = ids
    return told


def _changed_zones(before: list[ZoneView], after: list[ZoneView]) -> list[ZoneView]:
    if before == after:
        return []
    were = {zone.id: zone for zone in before}
    return [zone for zone in after if were.get(zone.id) != zone]


def applied(scene: SceneView, told: SceneChanges) -> SceneView:
    """A new scene with these changes applied; `scene` itself is not modified."""
    whole = {name: value for name in _WHOLE if (value := getattr(told, name)) is not UNSET}
    seats = {seat.seat: seat for seat in [*scene.seats, *told.seats]}
    zones = {zone.id: zone for zone in [*scene.zones, *told.zones]}
    ids = [zone.id for zone in scene.zones] if told.zone_ids is UNSET else told.zone_ids
    return structs.replace(scene, **whole, seats=[*seats.values()], zones=[zones[name] for name in ids])
