"""What the program shows, made from rows: JSON documents and their schemas, CSV tables, tables of text."""
