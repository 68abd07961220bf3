"""Files that come along and belong to sources: `python -m tests.prepared` says that they still do.

What `data/prepared` holds took minutes to count and is found by a key that ends with a hash of the
sources that decide it. After an edit of these it is not found any more, and counted anew for
everybody. If the edit changes no number (`pytest -m slow tests/poker/test_limit_holdem.py` knows),
this writes the new hash into the files; if it does, delete them, use what they are for, and copy
what is then in the cache.
"""

from pathlib import Path

from workbench import disk_cache
from workbench.files import load_arrays, save_arrays
from workbench.poker.buckets.holdem_clustering import DECIDED_BY as BUCKETS
from workbench.poker.buckets.joint_buckets import DECIDED_BY as JOINT
from workbench.shipped import shipped

FOLDER = shipped(disk_cache.PREPARED)


def keys(path: Path) -> tuple[str, str]:
    """The key in a file, and the one that it should have."""
    key = str(load_arrays(path, path.parent.name)["key"])
    by = BUCKETS if path.parent.name == "holdem buckets" else JOINT
    return key, f"{key.rpartition(' ')[0]} {disk_cache.sources(*by)}"


if __name__ == "__main__":
    for path in [*FOLDER.glob("*/*.npz")]:
        kind, (_, key) = path.parent.name, keys(path)
        arrays = {**load_arrays(path, kind), "key": key}
        path.unlink()
        arrays = {name: array for name, array in arrays.items() if name not in ("format", "kind")}
        save_arrays(disk_cache._path(FOLDER, kind, key), kind, **arrays)
