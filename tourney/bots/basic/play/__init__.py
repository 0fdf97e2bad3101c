"""The card play: opening leads, declarer's and defenders' leads, and the other cards of a trick."""
