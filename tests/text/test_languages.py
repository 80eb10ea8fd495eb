"""Choosing a language by `accept-language`, however it is written."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.catalogue import CATALOGUES, ENGLISH, catalogue_for
from service.text.languages import LANGUAGES, LONGEST, preferred

CASES = {
    "nothing": ([], "en"),
    "an empty header": ([""], "en"),
    "English": (["en"], "en"),
    "English of a region": (["en-GB"], "en"),
    "Italian": (["it"], "it"),
    "case": (["IT-ch"], "it"),
    "a script and a region": (["my-Mymr-MM"], "my"),
    "an extension": (["pl-PL-u-nu-latn"], "pl"),
    "Filipino": (["fil-PH"], "fil"),
    "Tagalog": (["tl"], "fil"),
    "Tagalog of a region": (["tl-PH"], "fil"),
    "Burmese": (["my"], "my"),
    "unknown": (["tlh"], "en"),
    "a longer name that begins alike": (["ita"], "en"),
    "unknown, then known": (["fr, de;q=0.9, pl;q=0.2"], "pl"),
    "weights, not order": (["en;q=0.3, it;q=0.9, pl;q=0.5"], "it"),
    "no weight is 1": (["pl;q=0.9, it"], "it"),
    "equal weights in order": (["pl;q=0.5, it;q=0.5"], "pl"),
    "three digits": (["it;q=0.123, pl;q=0.124"], "pl"),
    "more digits than the RFC has": (["it;q=0.12345"], "it"),
    "a shortened tag keeps its place": (["it-CH, en"], "it"),
    "English first": (["en-US, it;q=0.9"], "en"),
    "what browsers send": (["it-IT,it;q=0.9,en-US;q=0.8,en;q=0.7"], "it"),
    "blanks": ([" it ; q=0.9 ,\tpl ; Q=1.0 "], "pl"),
    "anything": (["*"], "en"),
    "anything else": (["fr, *;q=0.1"], "en"),
    "anything, least": (["*;q=0.1, my;q=0.2"], "my"),
    "anything but English": (["*, en;q=0"], "it"),
    "ruled out": (["it;q=0, pl;q=0.1"], "pl"),
    "ruled out with its regions": (["it-CH, it;q=0, pl;q=0.1"], "pl"),
    "a region ruled out": (["it-CH;q=0, it"], "it"),
    "Tagalog ruled out": (["tl;q=0, fil, pl;q=0.1"], "pl"),
    "all ruled out": (["*;q=0"], "en"),
    "English ruled out and nothing else": (["en;q=0"], "en"),
    "several headers": (["fr", "it;q=0.5", "pl"], "pl"),
    "a weight that is none": (["it;q=much, pl;q=0.1"], "pl"),
    "a weight above 1": (["it;q=2, pl;q=0.1"], "pl"),
    "a negative weight": (["it;q=-1, pl;q=0.1"], "pl"),
    "no number": (["it;q=, pl;q=0.1"], "pl"),
    "another parameter": (["it;level=1, pl;q=0.1"], "pl"),
    "an underscore": (["it_IT, pl;q=0.1"], "pl"),
    "commas and semicolons alone": ([",,;;"], "en"),
    "a dash": (["-"], "en"),
    "dashes": (["-" * 10_000], "en"),
    "a tag that begins with a dash": (["-it, pl"], "pl"),
    "a long word": (["x" * 10_000], "en"),
    "digits that are not ASCII": (["it;q=0.٥, pl;q=0.1"], "pl"),
    "a sign": (["\N{BLACK SPADE SUIT}, pl"], "pl"),
    "a zero byte": (["it\0, pl"], "pl"),
}


@pytest.mark.parametrize(("headers", "language"), CASES.values(), ids=CASES)
def test_a_language_is_chosen(headers: list[str], language: str) -> None:
    """By weight and order, each tag shortened step by step; what is no language is passed over."""
    assert preferred(headers) == language
    assert catalogue_for(headers) is CATALOGUES[language]


def test_every_language_can_be_asked_for() -> None:
    """By its own tag, and no other language is put in its place."""
    assert set(CATALOGUES) == set(LANGUAGES)
    for language in LANGUAGES:
        assert catalogue_for([language]).language == language
    assert catalogue_for([]) is ENGLISH


def test_a_long_header_is_read_in_part() -> None:
    """The beginning counts, a language cut in two does not."""
    filler = ",".join(["fr;q=0.9"] * 10)
    assert preferred([filler + ",it;q=0.1"]) == "it"
    cut = "xx," * (LONGEST // 3) + "it"
    assert len(cut) > LONGEST
    assert preferred([cut]) == "en"
    # Cut in the middle of "it-CH;q=0.5", of which "it" would be left.
    assert preferred(["x" * (LONGEST - 3) + ",it-CH;q=0.5"]) == "en"
    assert preferred(["pl," + "a-" * 100_000]) == "pl"
    assert preferred(["xx"] * 31 + ["it"]) == "it"
    assert preferred(["xx"] * 32 + ["it"]) == "en"


HEADERS = st.text(alphabet=string.ascii_letters + "-*,;=q01. \t", max_size=60) | st.text(max_size=40)


@given(st.lists(HEADERS, max_size=4))
def test_no_header_is_too_odd(headers: list[str]) -> None:
    """There is always a language."""
    assert preferred(headers) in LANGUAGES


@given(st.lists(st.tuples(st.sampled_from((*LANGUAGES, "tl", "fr", "de")), st.integers(0, 1000)), max_size=6))
def test_the_heaviest_known_language_wins(wanted: list[tuple[str, int]]) -> None:
    """As an obviously right search has it."""
    header = ", ".join(f"{tag};q={weight / 1000:.3f}" for tag, weight in wanted)
    known = [("fil" if tag == "tl" else tag, weight) for tag, weight in wanted]
    known = [(tag, weight) for tag, weight in known if tag in LANGUAGES]
    ruled_out = {tag for tag, weight in known if not weight}
    left = [(tag, weight) for tag, weight in known if tag not in ruled_out]
    heaviest = max((weight for _, weight in left), default=0)
    assert preferred([header]) == next((tag for tag, weight in left if weight == heaviest), "en")
