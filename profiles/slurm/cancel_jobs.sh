#!/bin/sh
# Cancel the jobs that a killed run of this folder left on the cluster, and wait until they are gone:
# two jobs must not write one file. `make resume PROFILE=profiles/slurm` begins with this.
left_behind() {
    squeue --me --noheader --format '%A %Z' |
        awk -v here="$PWD" 'substr($0, index($0, " ") + 1) == here { print $1 }'
}
left_behind | xargs -r scancel
while [ -n "$(left_behind)" ]; do
    sleep 1
done
