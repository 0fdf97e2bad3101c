"""More than one machine: table hosts on the workers of a Dask cluster.

Dask connects the machines, keeps workers and starts them again; leases and the record decide everything else. Any
cluster of Dask will do whose workers are started with `--preload tourney.cluster`: Dask then calls `dask_setup` of
this module. Nothing outside this room imports Dask, and nothing imports this room unless a cluster is used: the extra
`cluster` brings what it needs.
"""

from tourney.cluster.worker import dask_setup

__all__ = ["dask_setup"]
