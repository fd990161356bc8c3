"""A replay shows exactly what a viewer saw: folded positions against the game itself, the inputs beside them."""

from __future__ import annotations

import pytest

from arena.game import Game
from arena.games import GAMES
from arena.record import document_of
from arena.web.letters import letter_to
from arena.web.scene import PAGE, scene_of
from arena.zones import PUBLIC
from tests.contracts.tiny import Magpie
from tests.web import flock

ALL_GAMES = [*GAMES.values(), Magpie]


def names(game: type[Game]) -> tuple[str, ...]:
    return flock.BOTS[: flock.SEATS.get(game.name, 3)]


def views_of(game: Game, viewer: int) -> dict[str, tuple[list[str], int]]:
    """Per zone what the game lets a viewer know: the faces, and how many cards there are."""
    seen = game.view(viewer)
    found = {}
    for name, declared in game._zones.items():
        heaps = seen[name] if declared.row else [seen[name]]
        for at, heap in enumerate(heaps):
            label = f"{name}.{at}" if declared.row else name
            found[label] = (sorted(face for face in heap if face is not None), len(heap))
    return found


def shown(zones) -> dict[str, tuple[list[str], int]]:
    return {
        label: ([], heap)
        if isinstance(heap, int)
        else (sorted(face for face in heap if face is not None), len(heap))
        for label, heap in zones.items()
    }


@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
def test_d3_at_every_move_every_viewer_is_shown_what_the_game_lets_that_viewer_know(game):
    truth: dict[int, list[dict[str, tuple[list[str], int]]]] = {}
    viewers = [*range(len(names(game))), PUBLIC]
    for match in flock.play(game, names(game), flock.hashed(game.name), bytes(32)):
        for viewer in viewers:
            truth.setdefault(viewer, []).append(views_of(match.game, viewer))
    document = document_of(match, "none")
    for viewer in viewers:
        scene = scene_of(game, document, viewer)
        assert len(scene.positions) == len(truth[viewer])
        for position, known in zip(scene.positions, truth[viewer], strict=True):
            drawn = shown(position.zones)
            assert {label: drawn.get(label, ([], 0)) for label in known} == known


@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
def test_everyone_sees_every_hand(game):
    document = flock.whole(game, names(game), flock.hashed(game.name, "all"), bytes(32))
    together = scene_of(game, document, None)
    for seat in range(len(names(game))):
        own = scene_of(game, document, seat)
        for position, mine in zip(together.positions, own.positions, strict=True):
            for label, heap in mine.zones.items():
                if "hands" in label and label.endswith(f".{seat}"):
                    assert shown({label: position.zones[label]}) == shown({label: heap})


def test_pages_of_a_scene_join_to_the_whole_of_it():
    game = GAMES["sheepzzz"]
    scene = scene_of(game, flock.whole(game, names(game), bytes(32), bytes(32)), 0)
    assert len(scene.positions) > PAGE
    folded = []
    for number in range(-(-len(scene.positions) // PAGE)):
        zones: dict = {}
        values: dict = {}
        for told in scene.page(number, set()):
            zones, values = zones | told["zones"], values | told["values"]
            folded.append((zones, values))
    assert folded == [(position.zones, position.values) for position in scene.positions]


def test_words_stand_beside_the_move_they_tell_of():
    game = GAMES["sheepzzz"]
    scene = scene_of(game, flock.whole(game, names(game), bytes(32), bytes(32)), 0)
    for before, position in zip(scene.positions, scene.positions[1:], strict=False):
        told = [line for line in position.words if line.startswith("seat ")]
        assert [int(line[5]) for line in told] == before.asked


def test_faults_slow_moves_and_a_forfeit_are_marked_where_they_happened():
    game = GAMES["sheepzzz"]
    document = flock.whole(game, flock.BOTS[:2], bytes(32), bytes(32), crash=1)
    scene = scene_of(game, document, PUBLIC)
    marks = [(at, mark) for at, moment in enumerate(scene.moments) for mark in moment.marks]
    assert [(mark.seat, mark.kind) for _, mark in marks] == [(1, "strike"), (1, "slow"), (1, "forfeit")]
    for at, _ in marks:
        assert scene.positions[at - 1].asked == [1]
    answered = [len(moment.answers) for moment in scene.moments]
    gone = marks[-1][0]
    after = range(gone + 1, len(answered))
    assert all(answered[at] == (scene.positions[at - 1].asked != [1]) for at in after), "the stand-in has no time"
    assert flock.CANARY not in str([mark.text for _, mark in marks]), "last words are their owner's"


def test_every_answer_of_a_record_is_laid_beside_one_position():
    for name, game in GAMES.items():
        document = flock.whole(game, names(game), flock.hashed(name), bytes(32), crash=0)
        answers = [answer for moment in scene_of(game, document, 0).moments for answer in moment.answers]
        given = [(seat, rest[1]) for seat, kind, *rest in document["inputs"] if kind == "answer"]
        assert [(answer.seat, answer.elapsed_us) for answer in answers] == given


def test_the_message_a_bot_got_is_the_one_it_was_sent():
    game = GAMES["wolfpack"]
    document = flock.whole(game, names(game), bytes(32), bytes(32), crash=1)
    scene = scene_of(game, document, 0)
    for move in range(0, len(scene.positions), 7):
        sent = letter_to(document, 0, move)
        assert (sent is not None) == (0 in scene.positions[move].asked)
        if sent is not None:
            assert f'"seat": {0}' in sent and '"options"' in sent and document["match"] in sent
