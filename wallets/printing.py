"""A statement as a PDF to print or file, in a font that has the letters of players' names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from io import BytesIO
from xml.sax.saxutils import escape

import pymupdf_fonts
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, LongTable, Paragraph, SimpleDocTemplate, Spacer, Table

from wallets import errors
from wallets.statements import Statement

FONT, BOLD = "NotoSans", "NotoSans-Bold"
LINES_MOST = 5_000
HEAD = ("Time (UTC)", "What", "Account", "Table", "Hand", "Amount", "Balance", "Reason")
WIDTHS_MM = (31, 19, 16, 12, 16, 22, 22, 42)
FIGURES = (3, 6)  # the columns from table to balance stand to the right
GRID = [
    ("FONT", (0, 0), (-1, -1), FONT, 7),
    ("FONT", (0, 0), (-1, 0), BOLD, 7),
    ("LINEBELOW", (0, 0), (-1, 0), 1, colors.black),
    ("LINEBELOW", (0, 1), (-1, -1), 1, colors.lightgrey),
    ("ALIGN", (FIGURES[0], 0), (FIGURES[1], -1), "RIGHT"),
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
]
TOTALS_STYLE = [
    ("FONT", (0, 0), (-1, -1), FONT, 9),
    ("ALIGN", (1, 0), (1, -1), "RIGHT"),
    ("LINEBELOW", (0, 0), (-1, -1), 1, colors.lightgrey),
]


Row = tuple[str, str, str, str, str, str, str, str]
"""A line in words: time, kind, account, table, hand, amount, balance, reason."""


@cache
def fonts() -> None:
    for name, key in ((FONT, "notos"), (BOLD, "notosbo")):
        pdfmetrics.registerFont(TTFont(name, BytesIO(pymupdf_fonts.myfont(key))))


def statement_pdf(
    statement: Statement, name: str, totals: Sequence[tuple[str, str]], lines: Sequence[Row]
) -> bytes:
    """The statement on A4 pages, each with its number and the digest of the whole.

    totals and lines: in words, as they are printed. The same statement gives the same bytes.
    Raises StatementTooLong.
    """
    if len(lines) > LINES_MOST:
        raise errors.StatementTooLong(len(lines), LINES_MOST)
    fonts()
    body = ParagraphStyle("body", fontName=FONT, fontSize=9, leading=12)
    cell = ParagraphStyle("cell", fontName=FONT, fontSize=7, leading=9)
    title = ParagraphStyle("title", fontName=BOLD, fontSize=16, leading=22)
    period = f"from {statement.begins:%Y-%m-%d %H:%M:%S} to {statement.ends:%Y-%m-%d %H:%M:%S} UTC"
    # The last column is what a person typed: it wraps, and is text whatever it looks like.
    rows = [[*line[:-1], Paragraph(escape(line[-1]), cell)] for line in lines]
    story: list[Flowable] = [
        Paragraph("Statement of account", title),
        Paragraph(f"{escape(name)}, {statement.currency}, {period}", body),
        Spacer(0, 5 * mm),
        Table(totals, colWidths=(75 * mm, 35 * mm), style=TOTALS_STYLE, hAlign="LEFT"),
        Spacer(0, 6 * mm),
        LongTable(
            [HEAD, *rows], colWidths=[width * mm for width in WIDTHS_MM], style=GRID, repeatRows=1
        )
        if rows
        else Paragraph("Nothing moved in this period.", body),
        Spacer(0, 5 * mm),
        Paragraph(f"SHA-256 of this statement as CSV: {statement.digest}", cell),
        Paragraph(f"Signature: {statement.signature}", cell),
    ]

    def foot(canvas: Canvas, document: SimpleDocTemplate) -> None:
        canvas.setFont(FONT, 7)
        canvas.drawString(15 * mm, 9 * mm, f"Statement {statement.digest[:16]}")
        canvas.drawRightString(A4[0] - 15 * mm, 9 * mm, f"Page {document.page}")

    paper = BytesIO()
    SimpleDocTemplate(
        paper, pagesize=A4, leftMargin=15 * mm, rightMargin=15 * mm, topMargin=15 * mm,
        bottomMargin=16 * mm, title="Statement of account", author="", invariant=1,
    ).build(story, onFirstPage=foot, onLaterPages=foot)  # fmt: skip
    return paper.getvalue()
