"""Which studies the process of a job plans."""

import pytest

from reproduction.studies import STUDIES
from reproduction.study import studies_of_jobs


@pytest.mark.parametrize(
    ("jobs", "planned"),
    [
        (["score:study=theory,job=rates/along-n"], ["theory"]),
        (["write_page:scope=theory", "score:study=readings,job=a"], ["theory", "readings"]),
        (["compile_kernels:group=em"], STUDIES),  # of no study
        (["write_page:scope=structured_full"], STUDIES),
        (["everything:"], STUDIES),
        ([], STUDIES),
    ],
)
def test_a_job_plans_its_own_study_alone(jobs, planned):
    command = ["snakemake", "--snakefile", "/a/Snakefile", "--target-jobs", *jobs, "--mode", "x"]
    assert studies_of_jobs(command) == planned
