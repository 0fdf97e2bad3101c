"""The bidding system, as tables: natural, with five-card majors, a notrump of 15 to 17 and a strong artificial 2C.

`rows` says how to read them. A player makes the first call whose row its hand fits; partner and opponents take a call
to promise what its rows have in common, and its alert says that too. Where the system has no call, or none that fits
the hand, `judgement` chooses.
"""

from functools import lru_cache
from typing import Final

from tourney.bots.basic.meaning import Meaning
from tourney.bots.basic.rows import System
from tourney.bots.basic.situation import Situation

_SITUATIONS_MAX: Final = 128

_OPENINGS: Final = """
== opening
2NT        20..21       balanced                                                        notrump
2C         hcp:22..                                                    forcing          strong alerted
1NT        15..17       balanced                                                        notrump
1S         11..25       S:5..  is_worth_opening.position longest=S                      opening
1H         11..25       H:5..  is_worth_opening.position longest=H                      opening
1D         11..25       D:3..  is_worth_opening.position
                               length.D>=length.C length.D>length.C|length.D>=4         opening
1C         11..25       C:3..  is_worth_opening.position                                opening
each x SH   position<4
    4x     hcp:5..11    x:8..  side_major.x<4 top_honours.x.11>=preempt_honours         preempt
each x SHDC position<4
    3x     hcp:5..10    x:7..  side_major.x<4 top_honours.x.11>=preempt_honours         preempt
each x SHD  position<4
    2x     hcp:5+is_vulnerable..10  x:6..6  side_major.x<4 top_honours.x.11>=preempt_honours  weak_two
Pass       ..12
Pass                                                                                    last_resort
"""

_RESPONSES: Final = """
# To one of a major
== response  partner_kind=opening  right=pass  P=HS
4P         hcp:2..9               P:5..  is_shapely                                     preempt
2P         support_points.P:6..9  P:3..                                                 raise
3P         support_points.P:10..12+has_passed  P:4..                                    limit_raise
3P         support_points.P:10..12  P:3..3     # with no suit to show first
           length.S<4|P=S  length.C<5  length.D<5  length.H<5|P=H                       limit_raise
1S         6..most   S:4..                    P=H      forcing_unless.has_passed        response
2H         10..most  H:5..  hcp>=9 length.H>=length.D length.H>=length.C
                                              P=S      forcing_unless.has_passed        response
each x DC
    2x     10..most  x:5..  hcp>=9  longest_of.CD=length.x  forcing_unless.has_passed   response
each x CD
    2x     12..most  x:4..  hcp>=11 longest_of.CD=length.x  forcing_unless.has_passed   response
each x CD  !has_passed
    2x     support_points.P:13..  x:3..  P:3..              forcing                     response last_resort
4P         support_points.P:13..16  P:3..                                               raise
2NT        hcp:11..12  is_balanced
3NT        hcp:13..16  P:2..3  is_balanced    !has_passed
1NT        hcp:6..10   PS:0..3
1NT        6..11       S:0..3                 P=H                                       last_resort
1NT        6..11                              P=S                                       last_resort
Pass       ..5

# To one of a minor
== response  partner_kind=opening  right=pass
1D         12..  D:5..  length.D>longest_of.HS   P=C !has_passed  forcing               response
2C         12..  C:5..  length.C>longest_of.HS   P=D !has_passed  forcing               response
1S         6..most  S:4..  length.S>=length.H length.S>length.H|length.S>=5
                                                          forcing_unless.has_passed     response
1H         6..most  H:4..  length.H>=length.S length.H>length.S|length.H<5
                                                          forcing_unless.has_passed     response
2NT        11..12  balanced  HS:0..3
3NT        13..16  balanced  HS:0..3          !has_passed
1NT        8..10   balanced  HS:0..3
3P         10..12  HS:0..3  P:fit..                                                     limit_raise
2P         6..9    HS:0..3  P:fit..                                                     raise
1D         6..most   D:4..                    P=C         forcing_unless.has_passed     response
2C         10..most  C:5..  hcp>=9  length.C>=length.D  P=D  forcing_unless.has_passed  response
2C         12..most  C:4..  hcp>=11 length.C>=length.D  P=D  forcing_unless.has_passed  response
1NT        hcp:6..10  HS:0..3
5P         13..18  HS:0..3  P:fit..                                                     raise
1NT        6..11   HS:0..3                                                              last_resort
Pass       ..5
"""

_REBIDS: Final = """
# After a new suit at the one level, or 1NT
== later  own_kind=opening  is_first_rebid  right=pass  partner_level=1
each x HS  x=P
    4x     support_points.x:19..    x:4..                                               raise
    3x     support_points.x:16..18  x:4..                                               raise
    2x     support_points.x:11..15  x:4..                                               raise
3NT        19..    balanced                   P=NT
2NT        18..18  balanced                   P=NT
2NT        18..19  balanced                   P<NT
1S         11..18  S:4..4                     P=H  O<H                                  opening
each x HS  P=D
    1x     11..18  x:4..4                                                               opening
1NT        11..14  balanced
each x SHDC  x!=OP  cheapest_level.x<=2
    jump.x    19..  x:4..                     x<O|level=2              game_forcing     opening
    lowest.x  17..  x:4..  O:5..  length.O>length.x   x>O level=2      forcing          opening
4O         19..    O:6..                      O>=H
3O         16..18  O:6..                      O>=H
3O         16..21  O:6..                      O<H
2O         11..15  O:6..
each x SHDC  x!=OP  x<O
    2x     11..18  x:4..                                                                opening
3P         16..18  P:4..                      P=D                                       raise
2P         11..15  P:4..                      P=D                                       raise
2P         11..15  P:3..3  is_shapely         P=HS                                      raise last_resort
2O         11..16  O:5..                      P<NT
1NT        11..16                             P<NT                                      last_resort
2NT        17..                               P<NT                                      last_resort

# After a new suit at the two level
== later  own_kind=opening  is_first_rebid  right=pass  partner_level=2  P!=O  P<NT
4H         support_points.H:14..    H:3..     P=H                                       raise
3H         support_points.H:11..13  H:3..     P=H                                       raise
3O         16..    O:6..                      O>=H                     game_forcing
2O         11..15  O:6..                      O>=H      forcing_unless.partner_is_limited
3NT        18..19  balanced
each x SHDC  x!=OP
    lowest.x  11..  x:4..                     level=2 x<O  forcing_unless.partner_is_limited  opening
    lowest.x  16..  x:4..  O:5..              level=2 x>O  forcing                      opening
    lowest.x  16..  x:4..                     level=3      game_forcing                 opening
3P         12..    P:3..                      P=H       forcing_unless.partner_is_limited  raise
3P         12..    P:4..                      P!=H      forcing_unless.partner_is_limited  raise
2NT        11..14  balanced                             forcing_unless.partner_is_limited
2O         O:5..                                        forcing_unless.partner_is_limited
2NT                                                     forcing_unless.partner_is_limited  last_resort
"""

_NOTRUMP: Final = """
# Over an overcall
== response  partner_kind=notrump|partner_kind=notrump_overcall  right=bid  L<NT
lowest.L   game..    longest_of.HS=4  length.L<=3     forcing  stayman "Asking for a four-card major suit"
X          game-1..  L:4..  suit_hcp.L>=3                                               penalty
each x SHDC  x!=L  cheapest_level.x<=3
    lowest.x  game-5..game-1  x:5..           level=2                                   sign_off
    3x     game..  x:5..                                               game_forcing     response
3NT        game..  stops.L
2NT        game-2..game-1  stops.L
X          game-1..  length.L>=2                                                        penalty
3NT        game..
Pass       ..game-1

== response  partner_kind=notrump|partner_kind=notrump_overcall  right!=bid
== later  own_kind=waiting  partner_kind=notrump
6NT        sure_slam..  is_balanced longest_of.HS<4
lowest.C   game-0/2/0..  longest_of.HS=4 shortest_of.CDHS<3  partner_level<=2
                                              forcing  stayman "Asking for a four-card major suit"
lowest.C   game-0/2/0..  longest_of.HS=5 shortest_of.HS=4    partner_level<=2
                                              forcing  stayman "Asking for a four-card major suit"
lowest.H   S:5..  length.S>=length.H          partner_level<=2         forcing          transfer alerted
lowest.D   H:5..  length.H>=length.S          partner_level<=2         forcing          transfer alerted
XX         game-2..                           partner_level=1                           penalty
4NT        slam..sure_slam-1  balanced                                                  quantitative
3NT        game..                             partner_level<=2
2NT        game-2..game-1  is_semi_balanced   partner_level=1
each x CD  partner_level=1
    3x     ..game-1  x:6..                                                              sign_off
Pass       ..game-1
Pass                                                                                    last_resort

# Stayman: the answers, and the next call of the hand that asked
== later  partner_kind=stayman
each x HS  x!=their_suits
    lowest.x  own_low..own_high  x:4..5                                                 stayman_answer
lowest.D   own_low..own_high  HS:2..3         P=C                                       stayman_answer alerted
3NT        own_low..own_high  HS:2..3         P!=C                                      sign_off

== later  own_kind=stayman  partner_kind=stayman_answer  P=HS
4P         support_points.P:game..slam+1  P:4..                                         raise
3P         support_points.P:..game-1  P:4..   partner_level=2                           limit_raise
each x HS  x!=P
    6NT    sure_slam..        x:4..  P:0..3
    4NT    slam..sure_slam-1  x:4..  P:0..3                                             quantitative
    3NT    game..slam-1       x:4..  P:0..3
    2NT    ..game-1           x:4..  P:0..3   partner_level=2

== later  own_kind=stayman  partner_kind=stayman_answer
each x SH
    3x     game..          x:5..5                                      game_forcing     response
    2x     game-2..game-1  x:5..5             partner_level=2                           limit_raise
6NT        sure_slam..        HS:0..4
4NT        slam..sure_slam-1  HS:0..4                                                   quantitative
3NT        game..slam-1       HS:0..4
2NT        ..game-1           HS:0..4         partner_level=2

# Transfers: the completion, the next call of the hand that transferred, and the notrump bidder's choice
== later  partner_kind=transfer
3M         own_high..20  balanced  M:4..5     cheapest_level.M=2                        transfer_done
lowest.M   own_low..own_high                                                            transfer_done alerted
lowest.M                                                                    transfer_done alerted last_resort

== later  own_kind=transfer  partner_kind=transfer_done  partner_level!=3|notrump_level!=1
4P         game..slam+1  P:6..                                                          sign_off
Pass       ..game-3                           partner_level=2
3P         game-2..game-1  P:6..              partner_level=2                           limit_raise
each x HDC  x!=P  partner_level=2
    lowest.x  game..  P:5..  x:4..  is_shapely                         game_forcing     response
2NT        game-2..game-1     P:5..5          partner_level=2
4NT        slam..sure_slam-1  P:5..5                                                    quantitative
3NT        game..slam-1       P:5..5
Pass       ..game-1                           partner_level=3

== later  own_kind=transfer_done  partner_kind=natural|partner_kind=limit_raise  !their_calls  began_with_transfer
4M         shown_low..shown_high  M:3..5      partner_level=3 P=NT                           sign_off
Pass       shown_low..shown_high  M:2..2      partner_level=3 P=NT
4M         upper_half..    M:3..5             partner_level=2 P=NT                           sign_off
3NT        upper_half..    M:2..2             partner_level=2 P=NT                           sign_off
3M         ..upper_half-1  M:3..5             partner_level=2 P=NT                           sign_off
Pass       ..upper_half-1  M:2..2             partner_level=2 P=NT
4M         upper_half..                       partner_level=3 P=M                       sign_off
Pass       ..upper_half-1                     partner_level=3 P=M
"""

_STRONG: Final = """
# The strong 2C: responses, opener's second bid, and what follows a suit
== response  partner_kind=strong  right!=bid
each x SH
    2x     8..  x:5..  is_good_suit.x longest=x                        game_forcing     response
each x DC
    3x     8..  x:5..  is_good_suit.x longest=x                        game_forcing     response
2D                                                                     forcing          waiting alerted

== later  own_kind=strong  partner_kind=waiting
2NT        22..24  balanced                                                             notrump
3NT        25..27  balanced                                                             notrump
each x SHDC
    lowest.x  22..  x:5..  longest=x                                   game_forcing     opening
3NT        28..    balanced                                                             notrump last_resort
2NT        22..                                                                         notrump last_resort

== later  own_kind=waiting  partner_kind=opening
lowest.P   5..  P:3..                         P>=H                                      raise
4P         ..4  P:3..                         P>=H                                      raise
each x SHDC  x!=P
    lowest.x  3..  x:5..  longest=x           level<=3                                  response
5P         ..7  P:4..  is_shapely             P<H                                       raise
lowest.NT

# Answers to 4NT
== later  partner_kind=ask_aces
5C         aces=0  aces_answer "0 or 4 total aces"
5D         aces=1  aces_answer "1 total aces"
5H         aces=2  aces_answer "2 total aces"
5S         aces=3  aces_answer "3 total aces"
5C         aces=4  aces_answer "0 or 4 total aces"
"""

_DEFENCE: Final = """
# Over a high opening
== defence  last_level>4
Pass

# Over 1NT, 2NT, 3NT or an artificial opening
== defence  !their_suits
X          hcp:16..                           last_level=1 L=NT                              penalty
each x SHDC
    lowest.x  9..16  x:6..  is_good_suit.x    level<=2 !they_opened_strong              overcall
    lowest.x  5..12  x:6..  is_good_suit.x    level<=2 they_opened_strong               overcall
each x SH  !they_opened_strong
    lowest.x  12..16  x:5..5  is_good_suit.x is_shapely   level=2                       overcall
Pass

# Over a suit
== defence
lowest.NT  hcp:11..14  is_balanced stops_all.their_suits   level=1 is_balancing         notrump_overcall
lowest.NT  hcp:15..18  is_balanced stops_all.their_suits   level<=2 level=2|!is_balancing  notrump_overcall
lowest.NT  hcp:17..22  is_balanced stops_all.their_suits   level=3
each x SHDC  x!=their_suits  !is_balancing  last_level=1  !they_responded  cheapest_level.x<3
    3x     hcp:5..10  x:7..  is_good_suit.x top_honours.x.11>=1+is_vulnerable           preempt
each x SHDC  x!=their_suits  !is_balancing  last_level=1  !they_responded  cheapest_level.x<2
    2x     hcp:5..10  x:6..  is_good_suit.x top_honours.x.11>=1+is_vulnerable           weak_two
each x SHDC  x!=their_suits  level<4|x>=H  level<=4
    lowest.x  8/11/13/15-is_balancing+0/1*they_responded..20  x:6..
              length.x=longest_of.CDHS                                                  overcall
each x SHDC  x!=their_suits  level<4|x>=H  level<=4
    lowest.x  8/11/13/15-is_balancing+0/1*they_responded..20  x:5/5/6..
              length.x=longest_of.CDHS  is_good_suit.x|length.x>=6|top_honours.x>=1
              is_good_suit.x|length.x>=6|hcp>=10/13-2*is_balancing                      overcall
X          hcp:12/12/14/16-2*is_balancing..  unbid:3..5  their_suits:0..3  length.T<=2
           hcp>12/12/14/16-2*is_balancing|longest_of.unbid_majors>=4   L<NT|last_level=1  takeout alerted
X          hcp:15..   is_balancing last_level<=2  L<NT|last_level=1                     takeout alerted last_resort
X          hcp:18..   L<NT|last_level=1                                                 takeout alerted last_resort
Pass       ..16-5*is_balancing
Pass                                                                                    last_resort
"""

_ADVANCES: Final = """
# Of an overcall
== response  partner_kind=overcall  their_suits
lowest.T   support_points.P:12..  P:3..  hcp>=10  level<=3 right=pass|right=double  forcing  cue_bid alerted
3P         3..8  P:4..  is_shapely            cheapest_level.P=2                        preempt
lowest.P   support_points.P:0/6/8..11  P:3..  level<=3                                  raise
4P         support_points.P:12..  P:3..       cheapest_level.P=3                        raise
each x SHDC  x!=P  x!=their_suits  level<=3  level<=2|x>=H
    lowest.x  8/10/12..15  x:5..  is_good_suit.x|length.x>=6                            advance
3NT        15..20  stops.T shortest_of.CDHS>=1   cheapest_level.NT=1                    advance
jump.NT    12..0/14/17  stops.T shortest_of.CDHS>=1   level<=3                          advance
lowest.NT  8/10/12..11/14/17  stops.T shortest_of.CDHS>=1   level<=3                    advance
Pass       ..11                               partner_level<=2

# Of a takeout double, over a bid
== response  partner_kind=takeout  their_suits  right=bid
each x SHDC  x!=their_suits  level<=3
    lowest.x  6/7/9..12  x:4/4/5..  best_of.unbid=x                                     advance
Pass       ..8

# Of a takeout double
== response  partner_kind=takeout  their_suits
Pass       6..  T:5..  suit_hcp.T>=6/4 top_honours.T.10>=3                              penalty
each x SH  x!=their_suits
    game.x  11+shift..  x:5..                                                           advance
3NT        13+shift..20+shift  unbid_majors:0..3  stops.T                               advance
2NT        11+shift..12+shift  unbid_majors:0..3  stops.T                               advance
lowest.T   12+shift..                         level<=3                 game_forcing     cue_bid alerted
each x SHDC  x!=their_suits  level<=3|x>=H
    jump.x  9/9/9/11+shift..11+shift  x:5..  best_of.unbid=x                            advance
each x SHDC  x!=their_suits  level<=2|x>=H
    jump.x  9/9/9/11+shift..11+shift  x:4..  best_of.unbid=x                            advance
each x SHDC  x!=their_suits
    lowest.x  ..8/8/11+shift  x:5..  best_of.unbid=x    x>=H                            advance
    lowest.x  ..11+shift      x:5..  best_of.unbid=x    x<H                             advance
each x SH  x!=their_suits
    lowest.x  ..8/8/11+shift  x:4..  best_of.unbid=x                                    advance
lowest.NT  6..10+shift  stops.T               level<=2                                  advance
each x CDHS  x!=their_suits
    lowest.x  ..11  x:4..                                                               advance
each x CDHS  x!=their_suits
    lowest.x  ..11  x:3..                                                               advance
"""

_CONTESTED: Final = """
# Partner's opening has been doubled
== response  partner_kind=opening  right=double
4P         ..9  P:5..  is_shapely             P=HS                                      preempt
2NT        support_points.P:10..  P:fit+1..                            forcing          cue_bid alerted
XX         hcp:10..                                                                     strength
3P         2..8  P:fit+1..  is_shapely                                                  preempt
each x HS  x>P
    1x     6..9  x:4..                                                                  response
1D         6..9  D:4..  C:0..3                P=C                                       response
2P         support_points.P:5..9  P:fit..                                               raise
1NT        7..9  balanced
each x CDH  x<P
    2x     6..9  x:6..                                                                  response
Pass       ..9

# It has been overcalled in notrump
== response  partner_kind=opening  L=NT
X          9..                                                                          penalty
lowest.P   3..8  P:3..  is_shapely            P=HS                                      raise
lowest.P   3..8  P:5..  is_shapely            P<H                                       raise
each x SHDC  x!=P
    lowest.x  3..8  x:6..                                                               sign_off
Pass       ..8

# It has been overcalled in a suit
== response  partner_kind=opening
4P         2..9  P:5..  is_shapely            P=HS                                      preempt
lowest.L   support_points.P:10..  P:fit..  hcp>=8   level<=3           forcing          cue_bid alerted
4P         support_points.P:10..16  P:fit..   cheapest_level.L>3                        raise
3P         2..8  P:fit+1..  is_shapely        cheapest_level.P=2                        preempt
lowest.P   support_points.P:0/6/8..10  P:fit..  level<=3                                raise
each x SHDC  x!=PL  level<=3
    lowest.x  6..most  x:4..  longest=x|length.x>=5
                                      level=1 x!=S|L!=H    forcing_unless.has_passed    response
    lowest.x  6/10/12..most  x:5..  hcp>=0/10/12|length.x>=6
                                      level>1|x=S level>1|L=H  forcing_unless.has_passed  response
each x SH  x!=PL  P>=H|L>=H  last_level<=3
    X      6/8/10..  x:4..                                             forcing          negative alerted
X          6/8/10..  HS:3..5  longest_of.HS>=4   P<H L<H last_level<=3  forcing         negative alerted
3NT        13..16  is_semi_balanced stops.L
2NT        11..12  is_semi_balanced stops.L
1NT        7..10   is_semi_balanced stops.L
Pass       ..11

# Partner's negative double
== later  own_kind=opening  partner_kind=negative  right=pass  L<NT
each x SH  x!=OL
    4x        support_points.x:18..    x:4..                                            raise
    jump.x    support_points.x:15..17  x:4..  cheapest_level.x<3                        raise
    lowest.x  support_points.x:11..17  x:4..  level<=3                                  raise
jump.NT    18..19  is_balanced stops.L        level<=3
lowest.NT  11..15  is_balanced stops.L        level<=2
3O         16..    O:6..                      cheapest_level.O=2
lowest.O   11..17  O:6..
each x DC  x!=OL  cheapest_level.x<=3
    3x        18..    x:4..                   cheapest_level.x=2       game_forcing
    lowest.x  11..17  x:4..
lowest.O   11..17  O:5..
lowest.NT  11..    half_stops.L

# Their overcall has come round to opener
== reopening  L<NT  last_level<=3
X          12/12/15..  L:0..2  shortest_of.others>=2 length.O<=5                        takeout alerted
lowest.O   12..19  O:6..                      level<=2
each x CDH  x!=OL  level<=2
    lowest.x  12..21  x:4..  L:0..2
Pass       ..17
"""

_SYSTEM: Final = System(_OPENINGS, _RESPONSES, _REBIDS, _NOTRUMP, _STRONG, _DEFENCE, _ADVANCES, _CONTESTED)


@lru_cache(maxsize=_SITUATIONS_MAX)
def system_meanings(situation: Situation) -> list[Meaning]:
    """List what the system's legal calls mean here, in order of preference; empty where it has no calls."""
    return _SYSTEM.meanings(situation)
