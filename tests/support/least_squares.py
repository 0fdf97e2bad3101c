"""Ratings by least squares, worked out with numpy from the pseudo-inverse of the design, without the program."""

from collections.abc import Sequence

import numpy as np


def rate_by_least_squares(
    names: Sequence[str], swings: Sequence[tuple[object, str, str, float]]
) -> tuple[dict[str, float], dict[tuple[str, str], float]]:
    """Return the ratings, with mean 0, and the covariance of their errors by deal.

    Args:
        names: all programs, joined by their matches.
        swings: deal, first program, second program, IMPs to the first.
    """
    design = np.zeros((len(swings), len(names)))
    for row, (_, first, second, _) in enumerate(swings):
        design[row, names.index(first)] = 1
        design[row, names.index(second)] = -1
    won = np.array([float(swing[3]) for swing in swings])
    projection = np.linalg.pinv(design)  # programs by boards
    ratings = projection @ won
    residuals = won - design @ ratings
    deals = sorted({swing[0] for swing in swings}, key=str)
    of_deal = np.array([deals.index(swing[0]) for swing in swings])
    covariance = np.zeros((len(names), len(names)))
    for deal in range(len(deals)):
        share = projection[:, of_deal == deal] @ residuals[of_deal == deal]
        covariance += np.outer(share, share)
    covariance *= len(deals) / (len(deals) - 1)
    return (
        dict(zip(names, ratings.tolist(), strict=True)),
        {(a, b): float(covariance[i, j]) for i, a in enumerate(names) for j, b in enumerate(names)},
    )
