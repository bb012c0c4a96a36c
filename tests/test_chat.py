"""Words and reactions at a table: who hears them, what may be written, how much, and what never has them."""

import time
from typing import Any

import pytest
from waiting import until

from upcard.house.bodies import ComputerSeat, Me, NewTable, Open
from upcard.house.house import House
from upcard.house.services import Visitor
from upcard.house.stores import MemoryStore
from upcard.house.tables import Tables
from upcard.table.actions import Abandon, Answer, AnyAction, Change, Concede, React, Say, Sit, Unsay
from upcard.table.chat import AT_ONCE, KEPT, LONGEST_WORDS, MOST_WORDS, PER_SECOND, Conversation, SpeakingRates
from upcard.table.errors import Forbidden, Refusal, TooMany, Unacceptable
from upcard.table.messages import ChatMessage, ChatRemoved, Reaction
from upcard.table.plain_text import plain_text
from upcard.table.presence import Client
from upcard.table.settings import Settings
from upcard.table.table import Table

ANN, BO, EVE, FAY = Visitor("ann"), Visitor("bo"), Visitor("eve"), Visitor("fay")
SPOKEN = (ChatMessage, ChatRemoved, Reaction)


class Talk:
    """A table of Ann, who is the host, and Bo, with Eve and Fay watching; what each of them hears."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.house = House(Tables(self.store))
        self.heard: dict[Visitor, list[Any]] = {}
        self.windows: dict[Visitor, Client] = {}
        self.id = ""
        self.now = 0.0

    async def begin(self, *seats: Any, **settings: Any) -> Table:
        wish = NewTable("sixty-six", 2, {}, "Ann", [Me(), *(seats or [Open()])], Settings(**settings))
        view = await self.house.open(ANN, wish)
        self.id = view.id
        if not seats:
            await self.house.act(BO, view.id, Sit("Bo", invite=view.invite))
        for visitor in (ANN, BO, EVE, FAY):
            await self.come(visitor)
        table = await self.house.table(ANN, view.id)
        table._rates._clock = lambda: self.now
        await until(lambda: table.match.to_act)
        return table

    async def come(self, visitor: Visitor) -> None:
        self.heard[visitor] = []
        self.windows[visitor] = Client(visitor.identity, self.heard[visitor].append)
        (await self.house.table(visitor, self.id)).join(self.windows[visitor])

    async def act(self, visitor: Visitor, action: AnyAction) -> None:
        await self.house.act(visitor, self.id, action)
        self.now += 60.0

    def words(self, visitor: Visitor) -> list[str]:
        spoken = [message for message in self.heard[visitor] if isinstance(message, (ChatMessage, Reaction))]
        return [
            f"{message.name}: {message.kind if isinstance(message, Reaction) else message.phrase or message.text}"
            for message in spoken
        ]


async def test_phrases_and_reactions_reach_everybody_with_the_speakers_name() -> None:
    talk = Talk()
    await talk.begin()
    await talk.act(BO, Say("hello"))
    await talk.act(ANN, React("clap"))
    for visitor in (ANN, BO, EVE, FAY):
        assert talk.words(visitor) == ["Bo: hello", "Ann: clap"]
    (hello,) = [message for message in talk.heard[EVE] if isinstance(message, ChatMessage)]
    assert (hello.seat, hello.audience) == (1, "all")
    assert "bo" not in hello.by


async def test_watchers_are_heard_by_watchers_while_a_match_runs_and_by_all_after_it() -> None:
    talk = Talk()
    await talk.begin(chat=True)
    before = {visitor: len(talk.heard[visitor]) for visitor in (ANN, BO)}
    await talk.act(EVE, Say(text="Ann should lead trumps", name="Eve"))
    await talk.act(FAY, React("wow", name="Fay"))
    assert talk.words(FAY) == talk.words(EVE) == ["Eve: Ann should lead trumps", "Fay: wow"]
    assert {visitor: len(talk.heard[visitor]) for visitor in (ANN, BO)} == before  # not even that they spoke
    await talk.act(ANN, Concede())
    await talk.act(EVE, Say("well played", name="Eve"))
    assert talk.words(ANN) == ["Eve: well played"]
    await talk.come(ANN)
    assert talk.words(ANN) == ["Eve: well played"]  # what was said during the match stays among those who watched


async def test_somebody_who_comes_later_reads_what_they_may() -> None:
    talk = Talk()
    await talk.begin()
    await talk.act(ANN, Say("hello"))
    await talk.act(EVE, Say("oops", name="Eve"))
    await talk.come(BO)
    await talk.come(FAY)
    assert talk.words(BO) == ["Ann: hello"]
    assert talk.words(FAY) == ["Ann: hello", "Eve: oops"]


@pytest.mark.parametrize(
    ("settings", "allowed"), [({}, False), ({"chat": True}, True), ({"chat": True, "listed": True}, False)]
)
async def test_free_text_is_for_tables_whose_host_allows_it_and_never_for_listed_ones(
    settings: dict[str, Any], allowed: bool
) -> None:
    talk = Talk()
    await talk.begin(**settings)
    if allowed:
        await talk.act(BO, Say(text="Nice to see you"))
    else:
        with pytest.raises(Forbidden, match="Only the phrases"):
            await talk.act(BO, Say(text="Nice to see you"))
        await talk.act(BO, Say("hello"))
    assert len(talk.words(ANN)) == 1


async def test_the_host_allows_and_forbids_free_text_during_play() -> None:
    talk = Talk()
    await talk.begin()
    await talk.act(ANN, Change(Settings(chat=True)))
    await talk.act(BO, Say(text="Now"))
    await talk.act(ANN, Change(Settings()))
    with pytest.raises(Forbidden):
        await talk.act(BO, Say(text="And now"))
    assert talk.words(ANN) == ["Bo: Now"]


async def test_texts_are_plain_short_and_on_one_line() -> None:
    talk = Talk()
    await talk.begin(chat=True)
    await talk.act(BO, Say(text=" <b>1</b>\n\u202e2\x00 \u200b3 " + "x" * 300))
    (words,) = [message.text for message in talk.heard[ANN] if isinstance(message, ChatMessage)]
    assert words is not None
    assert words.startswith("<b>1</b> 2 3 xxx")
    assert len(words) == LONGEST_WORDS
    for nothing in (Say(text="\u3164 \u200d"), Say(), Say("hello", "and more")):
        with pytest.raises(Unacceptable):
            await talk.act(BO, nothing)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\U0001f469\u200d\U0001f469\u200d\U0001f467", "\U0001f469\u200d\U0001f469\u200d\U0001f467"),
        ("\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525"),
        ("\U0001f469\U0001f3fd\u200d\U0001f692", "\U0001f469\U0001f3fd\u200d\U0001f692"),
        ("A\u200dnn", "A nn"),
        ("A\ufe0fnn", "Ann"),
        ("\u2066Ann\u2069", "Ann"),
        ("\U0001f469\u200d", "\U0001f469"),
    ],
)
def test_emoji_stay_joined_and_nothing_else_is_hidden(text: str, shown: str) -> None:
    assert plain_text(text, 30) == shown


def test_a_text_is_not_cut_within_a_joined_emoji_so_that_a_joiner_is_left() -> None:
    assert plain_text("x" * 28 + "\U0001f469\u200d\U0001f469", 30) == "x" * 28 + "\U0001f469"


async def test_everybody_may_say_only_so_much_and_the_others_are_free() -> None:
    talk = Talk()
    table = await talk.begin()
    for _ in range(int(AT_ONCE)):
        await table.ask("bo", Say("hello"))
    for more in (Say("hello"), React("wow")):
        with pytest.raises(TooMany):
            await table.ask("bo", more)
    await table.ask("ann", Say("hello"))
    talk.now += 1 / PER_SECOND
    await table.ask("bo", React("wow"))
    with pytest.raises(TooMany):
        await table.ask("bo", Say("hello"))


async def test_a_refused_text_costs_nothing() -> None:
    talk = Talk()
    table = await talk.begin()
    for _ in range(20):
        with pytest.raises(Forbidden):
            await table.ask("bo", Say(text="No"))
    await table.ask("bo", Say("hello"))


async def test_the_host_removes_words_and_nobody_else_does() -> None:
    talk = Talk()
    await talk.begin(chat=True)
    await talk.act(BO, Say(text="Rude"))
    (rude,) = [message for message in talk.heard[ANN] if isinstance(message, ChatMessage)]
    with pytest.raises(Forbidden):
        await talk.act(BO, Unsay(rude.number))
    await talk.act(ANN, Unsay(rude.number))
    assert [message.number for message in talk.heard[EVE] if isinstance(message, ChatRemoved)] == [rude.number]
    await talk.come(EVE)
    assert talk.words(EVE) == []


async def test_only_people_at_the_table_are_heard() -> None:
    talk = Talk()
    table = await talk.begin()
    for stranger in (None, "mallory"):
        with pytest.raises(Forbidden):
            await table.ask(stranger, Say("hello", name="Mallory"))
    with pytest.raises(Refusal, match="Say who you are"):
        await talk.act(EVE, Say("hello"))
    table.leave(talk.windows[EVE])
    with pytest.raises(Forbidden):
        await talk.act(EVE, Say("hello", name="Eve"))
    assert talk.words(ANN) == []


async def test_words_are_in_no_journal_and_no_record() -> None:
    talk = Talk()
    await talk.begin(chat=True)
    await talk.act(BO, Say(text="Zanzibar"))
    await talk.act(BO, Say("good luck"))
    await talk.act(ANN, Abandon())
    await talk.act(BO, Answer(agree=True))
    stored = await talk.store.load(talk.id)
    _, record = await talk.house.record(ANN, talk.id)
    for text in (str(stored), record.decode()):
        assert "Zanzibar" not in text
        assert "good luck" not in text


def test_words_are_forgotten() -> None:
    conversation = Conversation()
    for number in range(MOST_WORDS + 5):
        conversation.add(ChatMessage(str(number), 0.0, "b", 0, "Bo", "hello", None))
    assert conversation.heard_by(0) == []  # older than KEPT
    for number in range(MOST_WORDS + 5):
        conversation.add(ChatMessage(str(number), time.time() - KEPT / 2, "b", 0, "Bo", "hello", None))
    assert len(conversation.heard_by(0)) == MOST_WORDS


def test_rates_of_many_people_do_not_pile_up() -> None:
    rates = SpeakingRates()
    for number in range(5000):
        rates.take(str(number))
    assert len(rates._left) == 1000


async def test_alone_with_a_computer_nothing_is_lost() -> None:
    talk = Talk()
    await talk.begin(ComputerSeat("casual"))
    await talk.act(ANN, React("party"))
    assert talk.words(ANN) == ["Ann: party"]


@pytest.mark.parametrize(
    "name", ["You", "you ", "EVERYBODY", "Nobody", "someone", "Dummy", "Seat 2", "seat 10", "The host"]
)
async def test_names_that_the_table_uses_for_others_are_refused(name: str) -> None:
    house = House(Tables(MemoryStore()))
    with pytest.raises(Unacceptable, match="taken for somebody else"):
        await house.open(ANN, NewTable("sixty-six", 2, {}, name, [Me(), Open()]))
    talk = Talk()
    await talk.begin()
    with pytest.raises(Unacceptable, match="taken for somebody else"):
        await talk.act(EVE, Say("hello", name=name))


@pytest.mark.parametrize("name", ["Youssef", "Seat", "Nobodys", "\U0001f469\u200d\U0001f692"])
async def test_other_names_are_not(name: str) -> None:
    view = await House(Tables(MemoryStore())).open(ANN, NewTable("sixty-six", 2, {}, name, [Me(), Open()]))
    assert view.seats[0].name == name
