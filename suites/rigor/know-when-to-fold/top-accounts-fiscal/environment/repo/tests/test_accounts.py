import pytest
from books import book, document

from salesdesk import Account, Book, BookError
from salesdesk.accounts import documents_of, owner


def test_an_account_belongs_to_the_one_it_was_merged_into_at_last():
    assert [owner(book(), number).number for number in (1, 3, 4, 5)] == [1, 3, 3, 3]
    with pytest.raises(BookError, match="no account 9"):
        owner(book(), 9)


def test_a_circle_is_noticed():
    accounts = {1: Account(1, "a", merged_into=2), 2: Account(2, "b", merged_into=1)}
    with pytest.raises(BookError, match="circle"):
        owner(Book(accounts, ()), 1)


def test_documents_of_an_account_by_date():
    found = documents_of(
        book(document("2024-03-02", 5, 1), document("2024-03-01", 3, 1), document("2024-03-01", 1, 1)), 3
    )
    assert [entry.number for entry in found] == ["I-2024-03-01-3", "I-2024-03-02-5"]
