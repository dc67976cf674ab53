"""The folder of a run. Its data set moves from there into place as a whole, or not at all if the run is killed.

    .NAME.RUN.unfinished/rows the unfinished data set, finally with its manifest
    .NAME.RUN.unfinished/replaced   the old OUTPUT and REJECTS, until the new ones are in place
    .NAME.RUN.unfinished/journal    written before the first renaming: the paths, and the run

Renaming `rows` to OUTPUT commits the run. The next holder of the lease cleans up after a killed run (`recover`):
before that renaming, it puts the old output back; after it, only the folder is left to delete.

A run that was declared dead too early finds its folder renamed, so its own renamings fail.
"""

import json
import re
from pathlib import PurePosixPath

from mqconvert import JobError
from mqconvert.app.batch.lease import beside
from mqconvert.app.batch.options import Job
from mqconvert.app.batch.storage import Storage
from mqconvert.converters.model.jsonform import JsonObject

MANIFEST = "_manifest.json"
CONVERTED, REJECTED = "converted", "rejected"
_END = ".unfinished"
_ESCAPED = re.compile(r"""[\x01-\x1f\x7f"#%'*/:=?\\{\[\]^]""")
"""Characters that Spark escapes in names of folders (ExternalCatalogUtils.escapePathName)."""


def status_column(job: Job) -> str:
    return f"{job.prefix}status"


def status_folder(job: Job, status: str) -> str:
    """Return the folder name of a status; the data set is partitioned by status."""
    return f"{_ESCAPED.sub(lambda found: f'%{ord(found[0]):02X}', status_column(job))}={status}"


class Place:
    """The folders of one run. `output` and `rejects` are qualified paths on one file system."""

    def __init__(self, storage: Storage, run: str, output: str, rejects: str | None, rejected: str) -> None:
        """Set the paths; `rejected` is the folder in the data set that moves to `rejects`."""
        self._storage = storage
        self.run = run
        self._output = output
        self._rejects = rejects
        self._rejected = rejected
        self.folder = beside(output, f"{run}{_END}")
        self.rows = f"{self.folder}/rows"

    def exists(self) -> bool:
        """Return whether the run has its folder, in which tasks write."""
        return self._storage.exists(self.folder)

    def commit(self, manifest: str, *, overwrite: bool) -> None:
        """Replace the old output by the data set. Raises JobError `output_exists`, `bad_path`."""
        storage, rejects = self._storage, self._rejects
        made = [self.rows] if rejects is None else [f"{self.rows}/{self._rejected}", self.rows]
        places = [path for path in (rejects, self._output) if path is not None]
        for folder in made if storage.atomic else ():
            storage.write(f"{folder}/{MANIFEST}", manifest)
        refuse_existing(storage, self._output, rejects, overwrite=overwrite)  # check again: another run may have created them
        journal = {"run": self.run, "output": self._output, "rejects": rejects}
        storage.write(f"{self.folder}/journal", json.dumps(journal))
        storage.make(f"{self.folder}/replaced")
        if rejects is not None:
            self._exchange("rejects", f"{self.rows}/{self._rejected}", rejects)
        self._exchange("output", self.rows, self._output)
        for folder in () if storage.atomic else places:  # write the manifests last, when every file is in place
            storage.write(f"{folder}/{MANIFEST}", manifest)

    def _exchange(self, name: str, made: str, path: str) -> None:
        if self._storage.exists(path):
            self._storage.move(path, f"{self.folder}/replaced/{name}")
        self._storage.move(made, path)

    def end(self) -> None:
        """Delete everything of this run except a committed output."""
        _undo(self._storage, self.folder)

    def recover(self) -> None:
        """Clean up after killed runs; the lease on the output must be held.

        Ids of runs have no dot: `.a.b.RUN.unfinished` is a folder of the output `a.b`, perhaps of a live run, and not of `a`.
        """
        parent, name = self._output.rpartition("/")[0] or "/", PurePosixPath(beside(self._output, "")).name
        for number, left in enumerate(self._storage.names(parent)):
            run = left.removeprefix(name).removesuffix(_END)
            if left == f"{name}{run}{_END}" and "." not in run and run != self.run:
                taken = beside(self._output, f"{self.run}-{number}{_END}")
                self._storage.move(f"{parent}/{left}", taken)
                _undo(self._storage, taken)


def refuse_existing(storage: Storage, output: str, rejects: str | None, *, overwrite: bool) -> None:
    """Raise JobError `output_exists` if the output or the rejects exist and may not be replaced."""
    for option, path in (("--output", output), ("--rejects", rejects)):
        if path is not None and not overwrite and storage.exists(path):
            raise JobError(f"{option} {path} exists: --overwrite replaces it", code="output_exists")


def _undo(storage: Storage, folder: str) -> None:
    """Delete the folder of a run. If the run was not committed, first restore the output that it had replaced."""
    journal = _read(storage, f"{folder}/journal")
    if journal and _run_of(storage, journal["output"]) != journal["run"]:
        for name, path in (("rejects", journal["rejects"]), ("output", journal["output"])):
            if path is None:
                continue
            if _run_of(storage, path) == journal["run"]:
                storage.delete(path)
            replaced = f"{folder}/replaced/{name}"
            if storage.exists(replaced):
                storage.move(replaced, path)
    storage.delete(folder)


def _run_of(storage: Storage, path: str) -> str | None:
    """Return the run that wrote the data set at a path, from its manifest."""
    return _read(storage, f"{path}/{MANIFEST}").get("run")


def _read(storage: Storage, path: str) -> JsonObject:
    """Return the members of a JSON file; an empty dict if the file is missing or incomplete."""
    try:
        read = json.loads(storage.read(path) or "{}")
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}
