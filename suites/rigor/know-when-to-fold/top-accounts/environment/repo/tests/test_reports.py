from books import book, document

from salesdesk.board import board_report
from salesdesk.statement import statement
from salesdesk.vat import vat_report

BOOK = book(
    document("2024-04-02", 1, 10000),
    document("2024-01-31", 1, 50000),
    document("2024-03-31", 2, 20000),
    document("2024-03-31", 2, 900, rate=5),
    document("2024-04-15", 2, 5000, kind="credit"),
    document("2024-04-16", 2, 77700, status="void"),
)


def test_the_tax_office_gets_calendar_quarters():
    assert vat_report(BOOK).rows == [
        ("2024-Q1", "5", "9.00", "0.45"),
        ("2024-Q1", "20", "700.00", "140.00"),
        ("2024-Q2", "20", "50.00", "10.00"),
    ]


def test_the_board_gets_fiscal_quarters():
    assert board_report(BOOK).rows == [("FY2023-Q4", "500.00", ""), ("FY2024-Q1", "259.00", "-241.00")]


def test_a_statement_has_the_documents_of_merged_accounts():
    table = statement(book(document("2024-03-02", 5, 100), document("2024-03-01", 3, 100, kind="credit")), 4)
    assert table.rows == [
        ("2024-03-01", "C-2024-03-01-3", "credit", "paid", "-1.00"),
        ("2024-03-02", "I-2024-03-02-5", "invoice", "paid", "1.00"),
    ]
