"""A count cut into parts that are exact, independent and restartable, and that any executor can run."""

from knightstour.parts.forecast import Forecast
from knightstour.parts.ledger import Ledger
from knightstour.parts.making import make_plan
from knightstour.parts.plan import Part, Plan, open_plan
from knightstour.parts.tables import EndsTable

__all__ = ["EndsTable", "Forecast", "Ledger", "Part", "Plan", "make_plan", "open_plan"]
