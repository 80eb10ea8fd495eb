"""Lines of score sheets, and the seats that they are about."""

from scripts import texts as made
from service.rules.scores import ScoreItem
from service.text import english, messages


def test_a_translator_reads_what_a_line_of_a_sheet_is_for() -> None:
    """Who gets a line or pays it cannot be seen from its words: the contract's comment stands above each."""
    for item in ScoreItem:
        message = made.template().get(english.SCORE_LINES[item], messages.of_item(item))
        assert message is not None
        about = " ".join(message.auto_comments)
        assert about.startswith("Line in the sheet of whoever gets the points or pays them: "), item
        assert "(" in about
