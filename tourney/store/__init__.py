"""The record: the only place that knows SQL.

`models` declares the tables, `db` is the way to a database, and the other modules are what is written and read, each
function in a transaction of its own unless it is given the database of `db.transactions.one_transaction`. Every
function that is given a database may raise `StoreError`: the database cannot be used. So `StoreError` is named only
where it can say something else.
"""
