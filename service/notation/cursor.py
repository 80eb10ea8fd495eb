"""Reading the words of a line in turn; every complaint says where, what stands there, and what was expected."""

from collections.abc import Container
from typing import Final, NoReturn

from service.notation.faults import NotationError, Position
from service.notation.lines import RULE, SIGN, STRING, WORD, Line, Token
from service.rules.cards import FACES, JOKER, Card, text

CARD_OF: Final = {text(card): card for card in (*FACES, JOKER)}
NO_CARDS: Final = "-"
"""In the place of cards where there are none."""
MAX_CARDS: Final = 108
MAX_DIGITS: Final = 6


class Cursor:
    """A place among the words of a line."""

    def __init__(self, line: Line) -> None:
        self._tokens: Final = line.tokens
        self._end: Final = line.end
        self._next = 0

    @property
    def at(self) -> Position:
        """Where the next word stands, or would."""
        token = self.peek()
        return token.at if token else self._end

    def peek(self) -> Token | None:
        """The next word; None at the end of the line."""
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def fail(self, expected: str) -> NoReturn:
        """Complain of the next word."""
        token = self.peek()
        raise NotationError(self.at, f"{token or 'the end of the line'} stands here: expected {expected}")

    def next_is(self, kind: str, text_of_it: str = "") -> bool:
        """Whether the next word is of a kind, and this one."""
        token = self.peek()
        return token is not None and token.kind == kind and text_of_it in {"", token.text}

    def take(self) -> Token:
        """Take the next word, which has to be there."""
        token = self._tokens[self._next]
        self._next += 1
        return token

    def took(self, kind: str, text_of_it: str) -> bool:
        """Take the next word if it is this one."""
        found = self.next_is(kind, text_of_it)
        self._next += found
        return found

    def sign(self, sign: str) -> None:
        """Take a sign."""
        if not self.took(SIGN, sign):
            self.fail(f"'{sign}'")

    def word(self, expected: str) -> Token:
        """Take a word."""
        if not self.next_is(WORD):
            self.fail(expected)
        return self.take()

    def keyword(self, word: str) -> None:
        """Take a word that has to be this one."""
        if not self.took(WORD, word):
            self.fail(f"'{word}'")

    def one_of(self, words: Container[str], expected: str) -> Token:
        """Take one of several words."""
        token = self.peek()
        if token is None or token.kind != WORD or token.text not in words:
            self.fail(expected)
        return self.take()

    def string(self, expected: str) -> Token:
        """Take a string."""
        if not self.next_is(STRING):
            self.fail(expected)
        return self.take()

    def rule(self) -> str:
        """Take a rule's id, if there is one."""
        return self.take().text if self.next_is(RULE) else ""

    def number(self, expected: str, least: int, most: int) -> int:
        """Take a whole number in a range."""
        token = self.peek()
        if token is None or token.kind != WORD or not is_number(token.text) or not least <= int(token.text) <= most:
            self.fail(f"{expected}, {least} to {most}")
        return int(self.take().text)

    def has_number(self) -> bool:
        """Whether a number comes next."""
        token = self.peek()
        return token is not None and token.kind == WORD and is_number(token.text)

    def hexadecimal(self, expected: str, least: int, most: int) -> bytes:
        """Take bytes, so many, in hexadecimal."""
        token = self.peek()
        size = f"{most} bytes" if least == most else f"{least} to {most} bytes"
        if token is None or token.kind != WORD or set(token.text) - set("0123456789abcdef") or len(token.text) % 2:
            self.fail(f"{expected}, {size} in hexadecimal (0-9 a-f)")
        if not least <= len(token.text) // 2 <= most:
            message = f"{expected} has {len(token.text) // 2} bytes here: expected {size} in hexadecimal"
            raise NotationError(token.at, message)
        return bytes.fromhex(self.take().text)

    def card(self) -> Card:
        """Take a card."""
        token = self.peek()
        if token is None or token.kind != WORD or token.text not in CARD_OF:
            self.fail("a card: a rank (A 2-10 J Q K) and a suit (S H D C) such as 10H, or JK")
        return CARD_OF[self.take().text]

    def card_if_any(self) -> Card:
        """Take a card if one comes next; NO_CARD otherwise."""
        token = self.peek()
        return CARD_OF[self.take().text] if token and token.kind == WORD and token.text in CARD_OF else 0

    def cards(self, stops: Container[str] = (), least: int = 0) -> bytes:
        """Take cards up to a sign, one of some words, or the end of the line; none only where the least is 0."""
        if least == 0 and self.took(WORD, NO_CARDS):
            return b""
        taken = bytearray()
        while not taken or (self.next_is(WORD) and self._tokens[self._next].text not in stops):
            if len(taken) == MAX_CARDS:
                self.fail(f"at most {MAX_CARDS} cards")
            taken.append(self.card())
        return bytes(taken)

    def end(self, expected: str = "the end of the line") -> None:
        """Make sure that nothing comes any more."""
        if self.peek():
            self.fail(expected)


def is_number(word: str) -> bool:
    """Whether a word is a whole number that is not too long, written without needless zeros."""
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS and str(int(word)) == word
