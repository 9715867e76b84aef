"""What is kept as JSON reads as tables: amounts in units, names as words, nothing as mark-up."""

from casino.core.readable import readable


def test_amounts_are_in_units_where_their_name_says_so() -> None:
    shown = readable({"bank_minor": 123_450, "nets_minor": {"1": -50}, "odds": 40}, 2)
    for words in ("<th>bank</th><td>1,234.50</td>", "<th>1</th><td>−0.50</td>", "<td>40</td>"):
        assert words in shown


def test_stakes_by_wager_are_amounts_and_what_came_of_them_is_not() -> None:
    assert "5.00" in readable({"wagers": {"ante": 500}}, 2)
    assert "<th>odds</th><td>40</td>" in readable({"wagers": {"ante": {"odds": 40}}}, 2)


def test_words_are_text_and_never_mark_up() -> None:
    shown = readable({"note": "<b>x</b>", "list": [1, 2], "empty": {}, "none": None}, 2)
    for words in ("&lt;b&gt;x&lt;/b&gt;", "1, 2", "<td>none</td>", "<td>–</td>"):
        assert words in shown
