"""Addresses of pages, the files of an export that hold them, and the links between them."""

import pytest

from tourney.site import urls


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("", "index.html"),
        ("crosstable", "crosstable.html"),
        ("round/3", "round-003.html"),
        ("round/3/board/5", "round-003-board-05.html"),
        ("entrant/64", "entrant-064.html"),
        ("entrant/7", "entrant-007.html"),
        ("match/7", "match-007/index.html"),
        ("match/7/board/5", "match-007/board-05.html"),
        ("match/2016/board/128", "match-2016/board-128.html"),
        ("board/5", "board-005.html"),
        ("stage/2/board/5", "stage-2-board-005.html"),
        ("static/style.css", "style.css"),
    ],
)
def test_every_address_has_a_file(address: str, file: str) -> None:
    assert urls.file_of(address) == file


@pytest.mark.parametrize(
    ("source", "target", "link"),
    [
        ("", "", "./"),
        ("", "entrant/3", "entrant/3"),
        ("entrant/3", "", "../"),
        ("entrant/3", "entrant/4", "4"),
        ("match/7", "match/7/board/5", "7/board/5"),
        ("match/7/board/5", "match/7", "../../7"),
        ("match/7/board/5", "match/7/board/6", "6"),
        ("match/7/board/5", "static/0f3a/style.css", "../../../static/0f3a/style.css"),
        ("match-007/board-05.html", "match-007/index.html", "index.html"),
        ("match-007/board-05.html", "index.html", "../index.html"),
        ("index.html", "match-007/index.html", "match-007/index.html"),
    ],
)
def test_a_link_leads_from_one_place_to_the_other_under_any_folder_of_a_server(
    source: str, target: str, link: str
) -> None:
    assert urls.link(source, target) == link


def test_no_link_leads_out_of_the_site() -> None:
    with pytest.raises(ValueError, match="no place within the site"):
        urls.link("entrant/3", "../secrets")
