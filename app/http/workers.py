"""Runs the jobs of requests: in this process, or in the processes of pool.py."""

from typing import Protocol

from mqconvert.app.http.settings import Settings
from mqconvert.app.http.work import Job, Jobs, Reply


class BusyError(Exception):
    """The limit of waiting and running jobs is reached."""


class Workers(Protocol):
    """Does jobs."""

    async def run(self, job: Job, *, patient: bool = False) -> Reply:
        """Do the job. Raises BusyError at the limit unless `patient`. Cancelling ends the work."""


class InProcess:
    """Runs every job immediately in this process, for embedding programs and tests."""

    def __init__(self, settings: Settings) -> None:
        self.jobs = Jobs(settings)

    async def run(self, job: Job, *, patient: bool = False) -> Reply:  # noqa: ARG002 - no job waits
        return self.jobs.perform(job)
