"""Portable Bridge Notation: read leniently, written strictly (PBN 2.1, its import and its export format)."""
