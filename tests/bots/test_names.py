"""What a submitted bot may be called: rows E4 and G1."""

from __future__ import annotations

import string

import pytest

from arena.bots.manifest import NAME, BotError, sample_names
from arena.bots.names import RESERVED, check_name, check_version, look

BAD = [
    "", ".", "..", "../../x", "/x", "/etc/passwd", "-rf", "--help", "_x", "a b", "a/b", "a\\b",
    "a\nb", "a\tb", "a\x00b", "x" * 33, "x" * 300, "a.b", "a@1", "a:b", "a;b", "a|b", "a&b",
    "$(id)", "`id`", "'", '"', "%s", "{}", "<b>", "[/]", "[link=http://x]y[/link]", "\x1b[31mred",
    "\x1b]0;t\x07", "~", "~root", "*", "?", "#", "!", "a,b", "a=b", "a+b", " tiger", "tiger ",
    "tiger\n", "tiger\r", "tiger\x00", "tiger\u200b", "tiger\u202e", "\ufefftiger", "\u2066tiger",
    "ti\xadger", "tigeŕ", "tïger", "tıger", "羊", "🐑", "١٢٣", "²", "½", "com․x", "a∕b",
]  # fmt: skip
# Letters of other alphabets, widths and styles that a reader takes for the ones we have.
ALIKE = [
    *(
        "tіger",
        "tigеr",
        "tigеr",
        "ｔｉｇｅｒ",
        "𝐭𝐢𝐠𝐞𝐫",
        "𝓽𝓲𝓰𝓮𝓻",
        "ⓣⓘⓖⓔⓡ",
        "tigᴇr",
        "tíger",
        "tigér",
        "tigęr",
        "тigеr",
    ),
    *(f"tiger{chr(code)}" for code in range(0x2000, 0x2030)),
    *(f"t{chr(code)}ger" for code in (0x131, 0x456, 0x3B9, 0x1D4BE, 0x2170, 0xFF49, 0x1F1E, 0x13A5, 0xA647)),
]
ODD = [f"a{sign}b" for sign in (*string.punctuation, *map(chr, (*range(33), 127))) if sign not in "-_"]
CASES = ["Tiger", "TIGER", "tigeR", "TiGeR"]


@pytest.mark.parametrize("name", [*BAD, *ODD, *ALIKE, *CASES], ids=ascii)
def test_g1_e4_a_name_outside_the_rule_is_refused_in_a_printable_sentence(name: str) -> None:
    with pytest.raises(BotError, match=r"name may use a-z 0-9 - _ \(1 to 32\)") as error:
        check_name(name)
    assert str(error.value).isprintable()


@pytest.mark.parametrize("name", [*CASES, "ｔｉｇｅｒ", "𝐭𝐢𝐠𝐞𝐫"])
def test_e4_one_that_means_the_same_is_told_how_to_write_it(name: str) -> None:
    with pytest.raises(BotError, match=r'; write "tiger"$'):
        check_name(name)


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_e4_a_reserved_name_is_refused(name: str) -> None:
    with pytest.raises(BotError, match=f'the name "{name}" is reserved'):
        check_name(name)


@pytest.mark.parametrize("name", ["r00t", "adrnin", "stand_in", "pub1ic", "0wner", "arena", "nu11"])
def test_e4_nor_one_that_looks_reserved(name: str) -> None:
    with pytest.raises(BotError, match="is reserved"):
        check_name(name)


@pytest.mark.parametrize("name", [*sample_names(), "rand0m", "randorn", "a1pha"])
def test_e4_sample_bots_keep_their_names(name: str) -> None:
    with pytest.raises(BotError, match="sample bot"):
        check_name(name)


@pytest.mark.parametrize(
    ("name", "other"),
    [("li0n", "lion"), ("1ion", "lion"), ("big_cat", "big-cat"), ("rnoose", "moose"), ("vvolf", "wolf")],
)
def test_e4_a_name_that_looks_like_anothers_is_refused(name: str, other: str) -> None:
    for one, two in ((name, other), (other, name)):
        with pytest.raises(BotError, match=f'the name "{one}" would be taken for "{two}"'):
            check_name(one, {"tiger", two})
    check_name(name, {name, "tiger"})


@pytest.mark.parametrize("name", ["x", "0", "7up", "tiger-2_b", "x" * 32, "tiger2", "mn", "v-v"])
def test_g1_an_honest_name_passes(name: str) -> None:
    check_name(name, {"tiger", "lion"})
    assert NAME.fullmatch(name)


def test_e4_there_are_two_hundred_names_in_these_tables() -> None:
    refused = {*BAD, *ODD, *ALIKE, *CASES, *RESERVED, *sample_names()}
    assert len(refused) >= 200
    assert look("Lion") == look("li0n") == look("1ion") == "lion"


@pytest.mark.parametrize("version", ["a b", "@", "1@2", "/", "..", "-1", "1\n", "\x1b", "[/]", "x" * 33, "١"])
def test_g1_a_version_is_one_word(version: str) -> None:
    with pytest.raises(BotError, match="version may use letters, digits"):
        check_version(version)


@pytest.mark.parametrize("version", ["", "1", "0.1", "2026.11.16", "1.0-rc1+b2", "v3"])
def test_a_plain_version_passes(version: str) -> None:
    check_version(version)
