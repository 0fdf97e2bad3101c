"""The basic player: a natural bidding system, and card play that does not look far ahead."""
