"""Roundup! The numbers RU-… are the clauses of rulebook.md."""

from typing_extensions import TypeVar

from upcard.rules import *

DUE, BID, TIE, PLAY, MORE, LOT, GIVE, DONE = PHASES = words("deal bid tie play more draw give done")
LAST, FIRST = GOAL = words("last first")
FREE, SINGLE = CHAIN = words("free single")
LOWEST, LEFT = FIRST_PLAYER = words("lowest left")
OFF, ON = EVEN_DEAL = words("off on")
ROOM = 16  # for face cards; a few more than the pack has

MOVES = Notation()
LAY = MOVES.verb("bid", "card", heard=Audience.SEALED, label="Bid with {0}", said="bids {0}", quiet="has bid")  # RU-7
SHOW = MOVES.verb(
    "show", "card", heard=Audience.SEALED, label="Show {0}", said="shows {0}", quiet="has chosen a card"
)  # RU-13
JACK_AT = MOVES.verb("jack", "card seat", ranks="J", label="{0} at {1}", said="plays {0} at {1}")
QUEEN_AT = MOVES.verb(
    "queen", "card seat suit", ranks="Q", label="{0} at {1}: {2}", said="plays {0} at {1} and names {2}"
)
KING_AT = MOVES.verb(
    "king", "card seat rank", ranks="K", label="{0} at {1}: {2}", said="plays {0} at {1} and names {2}"
)
PASS = MOVES.verb("pass", "card", label="Pass with {0}", said="passes, which costs {0}")
FREE_PASS = MOVES.verb("pass", label="Pass", said="passes")  # RU-30
STOP = MOVES.verb("stop", label="Stop", said="stops")
GIVE_UP = MOVES.verb("give", "card", label="Give {0}", said="gives {0}")


def dealt_from(opt: Any) -> Cards:
    """RU-4; RU-5: the cards dealt; with `even_deal`, as many Kings are removed, clubs first, as it takes to make hands
    equal."""
    pack: Cards = opt.pack
    too_many = count(pack) % opt.players if opt.even_deal == ON else 0
    return pack & ~as_set(as_list(of_rank(pack, KING))[::-1][:too_many])


class RoundupState(GameState, seats=6):
    hand: PerSeat = held()  # the face-down cards of each seat: RU-6, RU-10
    face_up: PerSeat = per_seat(cards="set", reveals="RU-10")  # its face-up cards, RU-11; open to all: RU-50
    down: PerSeat = per_seat()  # the number of face-down cards of each seat
    holding: int = open_seats()  # the seats with a card in either hand, RU-18
    bids: PerSeat = sealed(until=TIE, blank=NO_CARD, of="card")  # the bid card of each seat, RU-7
    tied: int = open_seats()  # the seats in the tie-break, RU-13
    shows: PerSeat = sealed(until=PLAY, blank=NO_CARD, of="card")  # the cards chosen in the tie-break
    fits: Cards = open_field(of="set")  # the next card of each stack that is not closed, RU-20
    stacked: Cards = open_set()  # the cards on the stacks, RU-19
    closed: Pile = open_pile(4, of="suit")  # the closed suits, in the order of their closing
    discards: Pile = open_pile(ROOM, cards="card", reveals="RU-40")  # the discards, oldest first
    thrown: int = open_field()  # the number of discards
    attacker: int = open_seat()  # the seat that attacks
    weapon: Card = open_field(NO_CARD, of="card")  # the face card of the last attack
    target: int = open_seat()  # the seat that is attacked
    named: int = open_field()  # the suit or rank that the attack names
    points: PerSeat = per_seat()  # the points of each seat in this round
    first_out: int = open_seat()  # the seat that ran out of cards first, RU-45
    lacks: PerSeat = per_seat(of="set")  # the cards that a seat has shown not to have face down in its hand
    stuck: int = open_seats()  # at least one of these has no number card face down, RU-16
    last_points: PerSeat = per_seat(kept=True)  # what each seat scored in the last finished round
    last_closed: Pile = open_pile(4, of="suit", kept=True)  # the suits in the order in which they closed in that round
    last_bids: PerSeat = per_seat(NO_CARD, of="card", kept=True)  # the bid cards of that round
    last_first_out: int = open_seat(kept=True)  # the seat that ran out of cards first in it


S = TypeVar("S", bound=RoundupState, default=RoundupState)


class RoundupRules(Game[S]):
    """The rules of Roundup!: the deal, the bids, the turns, the attacks and the score."""

    notation = MOVES
    phases = PHASES
    refused = "RU-54"

    target: int = choice(10, 5, 15, 20, clause="RU-47", help="score that ends the match")
    goal: int = choice(GOAL, clause="RU-8", help="first: guess the suit that is closed first")
    chain: int = choice(CHAIN, clause="RU-23", help="single: just one face-up card in a turn")
    first_player: int = choice(FIRST_PLAYER, clause="RU-12", help="left: the dealer's left begins, whatever was bid")
    out_point: int = choice(1, 0, 2, clause="RU-45", help="points for being the first without cards")
    even_deal: int = choice(EVEN_DEAL, clause="RU-5", help="on: so many Kings stay out that hands are equal")

    pack: Cards = card_set(
        RANKS,
        clause="RU-2",
        also="RU-4 RU-5",
        help="the cards that are played with",
        phrases=("All {count(pack)} cards are dealt",),
    )
    value: Row = rank_order(
        "T 9 8 7 6 5 4 3 2 A", clause="RU-2", also="RU-19", help="the number cards, the highest first"
    )
    shares: Row = table_of(
        (0, 3, 2, 1, 0, 0, 0),
        clause="RU-44",
        also="RU-46",
        help="points for the suit, by how many bid it",
        phrases=(
            "one alone gets {shares[1]:point|points}; two get {shares[2]} each; three get {shares[3]} "
            "each; {if shares[4] == 0 and shares[5] == 0 and shares[6] == 0}four or more get "
            "nothing{else}four get {shares[4]} each, five {shares[5]}, six {shares[6]}{end}",
        ),
    )
    most_rounds: int = number(
        60,
        clause="RU-48",
        help="rounds in a match at most",
        least=1,
        phrases=("after {most_rounds} rounds",),
    )
    dealt: Cards = derived(dealt_from)
    number_cards: Cards = derived(lambda self: [c for c in as_list(self.pack) if self.value[rank_of(c)]])
    height: int = derived(lambda self: max(self.value))  # of a closed stack
    rank_at: Row = derived(  # the rank for each value: by its height in a stack
        lambda self: [self.value.index(v) if v in self.value else NO_CARD for v in range(13)], length=13
    )

    @override
    def constraints(self) -> Constraints:
        pack, numbers = self.pack, [rank for rank in range(len(RANKS)) if self.value[rank]]
        faces = [rank for rank in range(len(RANKS)) if rank not in numbers and of_rank(pack, rank)]
        condition = "value gives heights from 1 up, each to one rank, and the other ranks are jack, queen and king"
        heights = sorted(self.value[rank] for rank in numbers) == list(range(1, len(numbers) + 1))
        fits = heights and len(numbers) > 0 and all(JACK <= rank <= KING for rank in faces)
        reason = sentence(
            "the stacks cannot be built: {name} gives heights from 1 up, each to one rank, and the other ranks are "
            "jack, queen and king",
            name=setting_name("value"),
        )
        yield Constraint("RU-2", condition, fits, reason)
        gaps = [RANKS[rank] for rank in numbers if count(of_rank(pack, rank)) < 4]
        yield Constraint(
            "RU-19",
            "the pack has all four cards of each number",
            not gaps,
            sentence(
                "the pack lacks a card of the number {rank}, so a stack could never be closed", rank="".join(gaps[:1])
            ),
        )
        message = "{seats} players × one card are {needed}, the pack has {available}"
        yield pack_suffices("RU-4", self.dealt, self.players, message, seats=self.players)
        too_many = count(self.dealt) % self.players if self.even_deal == ON else 0
        reason = sentence(
            "{cards} cards are over when all hands are equal, and the pack has no further Kings to leave out",
            cards=too_many,
        )
        yield Constraint("RU-5", "with even_deal on, the pack has enough Kings to leave out", too_many == 0, reason)
        held = -(-count(self.dealt) // self.players)  # in the largest hand
        names, left = 0, held
        for rank, each in ((KING, self.height), (QUEEN, 4), (JACK, 1)):
            number = min(left, count(of_rank(self.dealt, rank)))
            names, left = names + number * each, left - number
        needed = names * (self.players - 1) + held
        yield moves_suffice("RU-31", needed, self.most_moves, cards=held)

    @override
    def cards_to_shuffle(self, s: S, out: Buffer) -> int:
        return put_cards(out, 0, s.hand[s.target] if s.phase == LOT else self.dealt)  # RU-35

    @override
    def drawn(self, s: S, card: Card) -> None:
        self.lose(s, s.target, card)
        self.end_turn(s, s.attacker)

    @override
    def deal(self, s: S, order: Pile) -> None:
        seat = s.dealer
        for i in range(count(self.dealt)):  # RU-4
            seat = left_of(s, seat)
            s.hand[seat] |= bit(order[i])
            s.down[seat] += 1
        s.fits = of_rank(self.pack, self.rank_at[1])  # RU-19
        s.holding = everybody(s.players)
        s.phase = BID
        s.to_act = self.seats_with_numbers(s)  # RU-7
        for seat in range(s.players):
            if not acts(s, seat):
                s.lacks[seat] = self.number_cards  # RU-9

    def seats_with_numbers(self, s: S) -> int:
        """The seats that have a number card face down."""
        seats = 0
        for seat in range(s.players):
            if s.hand[seat] & self.number_cards:
                seats |= only(seat)
        return seats

    # ------------------------------------------------------------------------------------------------------------ moves

    @override
    def playable(self, s: S, me: int) -> Cards:
        """RU-20 to RU-26: in a turn, cards are played from only one of the two hands."""
        if s.phase == PLAY:
            return s.face_up[me] & s.fits or s.hand[me] & s.fits
        return s.face_up[me] & s.fits if s.phase == MORE else 0

    @override
    def other_moves(self, s: S, me: int, out: Buffer, n: int) -> int:
        hand = s.hand[me]
        if s.phase == PLAY:
            if s.face_up[me] & s.fits:
                return n  # RU-22
            n = self.put_attacks(s, me, hand & ~self.number_cards, out, n)
            return put_each(out, n, PASS, self.price(hand)) if hand else add(out, n, FREE_PASS, True)  # RU-27
        if s.phase == MORE:
            return add(out, n, STOP, True)  # RU-24
        if s.phase == BID:
            return put_each(out, n, LAY, hand & self.number_cards)  # RU-8
        if s.phase == TIE:
            return put_each(out, n, SHOW, hand & self.number_cards)  # RU-15
        return put_each(out, n, GIVE_UP, hand & self.demanded(s))  # RU-38

    def price(self, hand: Cards) -> Cards:
        """RU-28, RU-29: a pass costs one of these cards; RU-30: it is free if there are none."""
        return hand & self.number_cards or hand

    def put_attacks(self, s: S, me: int, faces: Cards, out: Buffer, n: int) -> int:
        """RU-31, RU-32: list attacks with each of these face cards on each other seat, effective or not."""
        while faces:
            face = lowest(faces)
            faces &= faces - 1
            for target in range(s.players):
                if target != me:
                    n = self.put_attacks_on(target, face, out, n)
        return n

    def put_attacks_on(self, target: int, face: Card, out: Buffer, n: int) -> int:
        """List the attacks with this face card: a Jack names nothing, a Queen each suit, a King each number: RU-35 to
        RU-37."""
        rank = rank_of(face)
        if rank == JACK:
            return add(out, n, say2(JACK_AT, face, target), True)
        if rank == QUEEN:
            for suit in range(4):
                out[n + suit] = say3(QUEEN_AT, face, target, suit)
            return n + 4
        numbers = self.height if rank == KING else 0
        for i in range(numbers):
            out[n + i] = say3(KING_AT, face, target, self.rank_at[i + 1])
        return n + numbers

    def names_for(self, faces: Cards) -> int:
        """The number of attacks on one seat with these face cards."""
        jacks, queens, kings = count(of_rank(faces, JACK)), count(of_rank(faces, QUEEN)), count(of_rank(faces, KING))
        return jacks + 4 * queens + self.height * kings

    @override
    def count_others(self, s: S, me: int, out: Buffer) -> int:
        if s.phase != PLAY or s.face_up[me] & s.fits:
            return self.other_moves(s, me, out, 0)
        return self.count_attacks(s, s.hand[me]) + max(count(self.price(s.hand[me])), 1)

    def count_attacks(self, s: S, hand: Cards) -> int:
        return self.names_for(hand & ~self.number_cards) * (s.players - 1)

    @override
    def nth_other(self, s: S, me: int, out: Buffer, k: int) -> int:
        if s.phase != PLAY:
            return out[k]
        hand = s.hand[me]
        attacks = self.count_attacks(s, hand)
        if k < attacks:
            return self.nth_attack(s, me, hand & ~self.number_cards, out, k)
        return say1(PASS, nth_card(self.price(hand), k - attacks)) if hand else FREE_PASS

    def nth_attack(self, s: S, me: int, faces: Cards, out: Buffer, k: int) -> int:
        """Build the k-th move in the list of `put_attacks`."""
        targets = s.players - 1
        names = self.names_for(bit(lowest(faces)))
        while k >= names * targets:
            k -= names * targets
            faces &= faces - 1
            names = self.names_for(bit(lowest(faces)))
        target = k // names
        self.put_attacks_on(target + (target >= me), lowest(faces), out, 0)
        return out[k - target * names]

    @override
    def apply(self, s: S, me: int, move: int) -> None:
        verb = verb_of(move)
        chosen = item(move, 0)
        if verb == 0:
            self.play(s, me, move)
        elif verb == PASS:
            if bit(chosen) & ~self.number_cards:
                s.lacks[me] |= self.number_cards  # RU-29
            self.lose(s, me, chosen)
            self.end_turn(s, me)
        elif verb in (FREE_PASS, STOP):
            self.end_turn(s, me)
        elif verb == GIVE_UP:
            self.lose(s, me, chosen)
            self.end_turn(s, s.attacker)
        elif verb == LAY:
            s.bids[me] = chosen
            s.to_act ^= only(me)
            if s.to_act == 0:
                self.reveal(s, s.bids)
        elif verb == SHOW:
            s.shows[me] = chosen
            s.to_act ^= only(me)
            if s.to_act == 0:
                self.reveal(s, s.shows)
        else:
            self.attack(s, me, move)

    # ------------------------------------------------------------------------------------------------------- who begins

    def reveal(self, s: S, chosen: PerSeat) -> None:
        """RU-10, RU-13: lay open the cards chosen in secret, which decide who begins."""
        for seat in range(s.players):
            if chosen[seat] != NO_CARD:
                self.lose(s, seat, chosen[seat])
        s.tied = self.lowest_of(s, chosen) if self.first_player == LOWEST else only(left_of(s, s.dealer))
        for seat in range(s.players):
            s.shows[seat] = NO_CARD
        if several(s.tied):
            if s.tied & ~self.seats_with_numbers(s) == 0:
                s.phase = TIE
                s.to_act = s.tied
                return
            s.stuck = s.tied  # RU-16
            self.narrow(s)
        await_move(s, PLAY, next_of(s.tied, s.dealer))

    def lowest_of(self, s: S, chosen: PerSeat) -> int:
        """RU-12, RU-14: the seats that have just shown the lowest card."""
        low = self.height + 1
        seats = 0
        for seat in range(s.players):
            if chosen[seat] != NO_CARD:
                value = self.value[rank_of(chosen[seat])]
                if value < low:
                    low = value
                    seats = 0
                if value == low:
                    seats |= only(seat)
        return seats

    def narrow(self, s: S) -> None:
        """RU-16: apply common knowledge about the seats that could not continue, one of which has no number card face
        down.

        Seats that have shown one since then no longer count; the matter is settled once one seat is known to have none.
        """
        if not several(s.stuck):
            s.lacks[lowest(s.stuck)] |= self.number_cards
        for seat in range(s.players):
            if among(s.stuck, seat) and (s.down[seat] == 0 or self.number_cards & ~s.lacks[seat] == 0):
                s.stuck = 0

    # ------------------------------------------------------------------------------------------------------------ turns

    def end_turn(self, s: S, seat: int) -> None:
        """RU-17, RU-39: pass the turn to the next seat that has a card. During a round there always is one (RU-49)."""
        if s.stuck:
            self.narrow(s)
        await_move(s, PLAY, next_of(s.holding, seat))

    def take_down(self, s: S, seat: int, taken: Card) -> None:
        """Remove a card openly from the face-down hand."""
        s.hand[seat] ^= bit(taken)
        s.down[seat] -= 1
        if bit(taken) & self.number_cards:
            s.stuck &= ~only(seat)

    def lose(self, s: S, seat: int, lost: Card) -> None:
        """Lay a face-down card open (RU-10, RU-11) or, if it is a face card, discard it (RU-33, RU-40)."""
        self.take_down(s, seat, lost)
        if bit(lost) & self.number_cards:
            s.face_up[seat] |= bit(lost)
        else:
            s.discards[s.thrown] = lost
            s.thrown += 1
            self.note_out(s, seat)

    def note_out(self, s: S, seat: int) -> None:
        """RU-41, RU-42, RU-45: record that a seat is out, if it is, and score its point for being the first."""
        if s.down[seat] == 0 and s.face_up[seat] == 0:
            s.holding &= ~only(seat)
            if s.first_out == NOBODY:
                s.first_out = seat
                s.points[seat] += self.out_point

    def play(self, s: S, me: int, played: Card) -> None:
        """RU-19 to RU-26: play a card from either hand."""
        from_face_up = s.face_up[me] & bit(played) != 0
        if from_face_up:
            s.face_up[me] ^= bit(played)
        else:
            self.take_down(s, me, played)
        self.note_out(s, me)
        self.grow(s, played)
        if s.fits == 0:
            self.end_round(s)  # RU-43
        elif from_face_up and self.chain == FREE and s.face_up[me] & s.fits:  # RU-23, RU-24
            s.phase = MORE
        else:
            self.end_turn(s, me)

    def grow(self, s: S, played: Card) -> None:
        """RU-19: put a card on its stack."""
        s.stacked |= bit(played)
        s.fits ^= bit(played)
        rank = rank_of(played)
        suit = suit_of(played)
        if self.value[rank] < self.height:
            s.fits |= bit(card(self.rank_at[self.value[rank] + 1], suit))
        else:
            s.closed[count(of_rank(s.stacked, rank)) - 1] = suit

    def attack(self, s: S, me: int, move: int) -> None:
        """RU-31 to RU-38: attack another seat."""
        self.lose(s, me, item(move, 0))  # RU-33
        s.attacker = me
        s.weapon = item(move, 0)
        s.target = item(move, 1)
        s.named = item(move, 2)
        if rank_of(s.weapon) == JACK:
            if s.down[s.target]:  # RU-35
                s.phase = LOT
                s.awaiting = DRAW
                s.to_act = 0
            else:
                self.end_turn(s, me)  # RU-34
        elif s.hand[s.target] & self.demanded(s):
            await_move(s, GIVE, s.target)
        else:
            s.lacks[s.target] |= self.demanded(s)
            self.end_turn(s, me)  # RU-38

    def demanded(self, s: S) -> Cards:
        """The cards that the Queen or King played names: RU-36, RU-37."""
        return all_of(s.named) if rank_of(s.weapon) == QUEEN else of_rank(self.pack, s.named)

    # ------------------------------------------------------------------------------------------------------------ score

    def end_round(self, s: S) -> None:
        self.score(s, s.closed[0] if self.goal == FIRST else s.closed[3])
        leaders = highest_scores(s)
        won = not several(leaders) and s.scores[lowest(leaders)] >= self.target  # RU-47
        if won or s.deals == self.most_rounds:  # RU-48
            finish_match(s, DONE, leaders)
        else:
            self.clear(s)
            await_deal(s, left_of(s, s.dealer))  # RU-3

    def score(self, s: S, suit: Suit) -> None:
        """RU-44, RU-46: score the round; its points are also recorded for the report."""
        bidders = 0
        for seat in range(s.players):
            if suit_of(s.bids[seat]) == suit:  # a missing bid has no suit
                bidders |= only(seat)
        for seat in range(s.players):
            if among(bidders, seat):
                s.points[seat] += self.shares[count(bidders)]
            s.scores[seat] += s.points[seat]
            s.last_points[seat] = s.points[seat]
            s.last_bids[seat] = s.bids[seat]
        for i in range(4):
            s.last_closed[i] = s.closed[i]
        s.last_first_out = s.first_out
