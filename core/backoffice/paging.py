"""Counts that do not read the table, and pages that do not reach into its depth."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator

from core.db.estimates import estimated_rows

MOST_COUNTED = 10_000
"""Rows that are counted one by one; beyond, an estimate is shown, or "more than"."""
MOST_PAGES = 200
"""Pages that can be turned to; each costs the rows of all before it."""

if TYPE_CHECKING:
    _Paginator = Paginator[Any]
else:
    _Paginator = Paginator


class EstimatingPaginator(_Paginator):
    """Takes PostgreSQL's estimate for a whole table, and counts what is narrowed down only up to a limit."""

    object_list: Any

    @cached_property
    def count(self) -> int:
        """Number of rows, exact up to :data:`MOST_COUNTED`, otherwise the estimate or that limit plus one."""
        return self.estimate or self.counted

    @cached_property
    def counted(self) -> int:
        """Number of rows up to the limit plus one."""
        counted: int = self.object_list.order_by()[: MOST_COUNTED + 1].count()
        return counted

    @cached_property
    def estimate(self) -> int:
        """PostgreSQL's estimate of the table's rows; 0 where there is none, or it is small enough to count."""
        query = self.object_list.query
        if query.where or query.is_empty():
            return 0
        rows = estimated_rows(query.model, self.object_list.db)
        return rows if rows > MOST_COUNTED else 0

    @property
    def num_pages(self) -> int:
        """Number of pages that can be turned to."""
        return min(-(-self.count // self.per_page) or 1, MOST_PAGES)

    @property
    def count_text(self) -> str:
        """The count in words: exact, "about" an estimate, or "more than" the limit."""
        if self.estimate:
            return f"about {self.estimate:,}"
        return f"more than {MOST_COUNTED:,}" if self.counted > MOST_COUNTED else f"{self.counted:,}"

    @property
    def cut(self) -> bool:
        """Whether there are rows behind the last page that can be turned to."""
        return self.count > self.num_pages * self.per_page
