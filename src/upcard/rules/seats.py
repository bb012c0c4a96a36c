"""Seats and sets of seats: the next seat, the seats to act, the highest scores."""

from upcard.rules.cards import lowest
from upcard.rules.marks import rule
from upcard.rules.state import GameState, PerSeat


@rule
def only(seat: int) -> int:
    """The set with only this seat."""
    return 1 << seat


@rule
def everybody(players: int) -> int:
    """The set of all seats."""
    return (1 << players) - 1


@rule
def among(seats: int, seat: int) -> bool:
    """Whether a seat is in a set of seats."""
    return seats >> seat & 1 != 0


@rule
def several(seats: int) -> bool:
    """Whether a set has more than one seat (or card)."""
    return seats & seats - 1 != 0


@rule
def acts(s: GameState, seat: int) -> bool:
    """Whether this seat may move now."""
    return s.to_act >> seat & 1 != 0


@rule
def await_move(s: GameState, phase: int, seat: int) -> None:
    """Enter a phase in which only this seat is to act."""
    s.phase = phase
    s.to_act = only(seat)


@rule
def left_of(s: GameState, seat: int) -> int:
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < s.players else 0


@rule
def next_of(seats: int, seat: int) -> int:
    """The next seat clockwise that is in a set; the seat itself if it is the only one. The set must not be empty."""
    return lowest(seats & -2 << seat or seats)


@rule
def highest_in(s: GameState, row: PerSeat) -> int:
    """The highest number in a row with an entry for each seat."""
    best = row[0]
    for seat in range(1, s.players):
        best = max(best, row[seat])
    return best


@rule
def lowest_in(s: GameState, row: PerSeat) -> int:
    """The lowest number in a row with an entry for each seat."""
    best = row[0]
    for seat in range(1, s.players):
        best = min(best, row[seat])
    return best


@rule
def seats_with(s: GameState, row: PerSeat, number: int) -> int:
    """The set of seats whose entry in a row is this number."""
    seats = 0
    for seat in range(s.players):
        seats |= (row[seat] == number) << seat
    return seats


@rule
def highest_scores(s: GameState) -> int:
    """The set of seats with the highest score."""
    return seats_with(s, s.scores, highest_in(s, s.scores))


@rule
def lowest_scores(s: GameState) -> int:
    """The set of seats with the lowest score."""
    return seats_with(s, s.scores, lowest_in(s, s.scores))


@rule
def above_average(s: GameState, me: int) -> int:
    """A seat's score minus the average score, multiplied by the number of players."""
    total = 0
    for seat in range(s.players):
        total += s.scores[seat]
    return s.players * s.scores[me] - total
