"""More than one machine: table hosts and programs started through a cluster of Dask `distributed`.

Dask decides where a host is started, and starts it again; leases and the record decide everything else. Nothing
outside this room imports Dask, and nothing imports this room unless a cluster is used: the extra `cluster`
brings what it needs.
"""
