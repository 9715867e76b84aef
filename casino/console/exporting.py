"""Tables of figures as files: CSV that spreadsheets open in any language, XLSX with real numbers.

Each ends with how many rows it has and a checksum over them, so that a file that was cut or
changed is found.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from hashlib import sha256
from typing import Any

import xlsxwriter
from django.http import HttpResponse

CSV_TYPE = "text/csv; charset=utf-8"
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
# A spreadsheet takes what begins with one of these for a formula.
FORMULAE = ("=", "+", "-", "@", "\t", "\r")


def amount(minor: int | None, exponent: int) -> Decimal | None:
    """Minor units as the number a spreadsheet counts with."""
    return None if minor is None else Decimal(minor).scaleb(-exponent)


def checksum(rows: Iterable[Sequence[Any]]) -> str:
    text = "\n".join("\t".join("" if cell is None else str(cell) for cell in row) for row in rows)
    return sha256(text.encode()).hexdigest()


def as_csv(name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> HttpResponse:
    """UTF-8 with its mark, without which a spreadsheet reads Polish letters as others."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([_plain(cell) for cell in row] for row in rows)
    writer.writerow(("#rows", len(rows), "#sha256", checksum(rows)))
    return _file(f"{name}.csv", CSV_TYPE, b"\xef\xbb\xbf" + out.getvalue().encode())


def as_xlsx(name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> HttpResponse:
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"constant_memory": True, "in_memory": True})
    sheet = book.add_worksheet(name[:31])
    bold, money = book.add_format({"bold": True}), book.add_format({"num_format": "#,##0.00##"})
    sheet.freeze_panes(1, 0)
    sheet.set_column(0, len(columns) - 1, 14)
    for at, column in enumerate(columns):
        sheet.write_string(0, at, column, bold)
    for line, row in enumerate(rows, start=1):
        for at, cell in enumerate(row):
            if isinstance(cell, Decimal):
                sheet.write_number(line, at, float(cell), money)
            elif isinstance(cell, (int, float)):
                sheet.write_number(line, at, cell)
            elif cell is not None:
                sheet.write_string(line, at, str(cell))
    foot = len(rows) + 2
    sheet.write_string(foot, 0, f"{len(rows)} rows, sha256 {checksum(rows)}")
    book.close()
    return _file(f"{name}.xlsx", XLSX_TYPE, out.getvalue())


def _plain(cell: Any) -> Any:
    if isinstance(cell, str) and cell.startswith(FORMULAE):
        return "'" + cell
    return "" if cell is None else cell


def _file(name: str, kind: str, content: bytes) -> HttpResponse:
    answer = HttpResponse(content, content_type=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def file_name(what: str, begins: date, ends: date) -> str:
    return f"{what}-{begins}" if begins == ends else f"{what}-{begins}-{ends}"
