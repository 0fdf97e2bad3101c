"""What the record says, as plain objects and documents: standings, scorecards, cross-tables, exports."""
