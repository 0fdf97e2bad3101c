"""The chart of the running margin of a match."""

from tourney.results.scorecard import Scorecard
from tourney.site.pages.axes import Chart, ChartBar, ChartLevel, across, upward


def chart_margin(card: Scorecard) -> list[Chart]:
    """Return the chart of the running margin; none as long as fewer than two boards are shown."""
    match, scale = card.match, card.match.board_scale
    margins = {number: (home - away) / 100 for number, (home, away) in card.running_totals.items()}
    if len(margins) < 2:
        return []
    most = max(1.0, *map(abs, margins.values()))
    x, y = across(0, len(card.boards)), upward(-most, most)
    bars = []
    for place, board in enumerate(card.boards):
        margin = margins.get(board.number)
        if margin is not None:
            imps = board.imps or 0
            swing = f"{scale.count(abs(imps))} to {match.home if imps > 0 else match.away}" if imps else "no swing"
            stands = f"{match.home if margin > 0 else match.away} leads by {abs(margin):g}" if margin else "level"
            bars.append(
                ChartBar(
                    x=x(place + 0.12),
                    y=min(y(margin), y(0)),
                    width=round(x(0.76) - x(0), 1),
                    height=max(round(abs(y(margin) - y(0)), 1), 0.5),
                    title=f"Board {board.number}: {swing}; {stands}",
                    tone="home" if margin >= 0 else "away",
                )
            )
    return [
        Chart(
            title=f"Running margin: {match.home} ahead above the line, {match.away} below it",
            x_name="boards",
            x_ticks=x.ticks(whole=True),
            y_ticks=y.ticks(),
            levels=[ChartLevel(y(0), "")],
            bars=bars,
        )
    ]
