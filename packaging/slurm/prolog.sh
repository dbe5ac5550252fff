#!/usr/bin/env bash
# Checks a job's own script with the GPUs of the node that it got, before anything loads weights:
#
#   srun --ntasks-per-node=1 /opt/gonogo/prolog.sh "$0" || exit 1    # among the first lines of a batch script
#   srun --task-prolog=/opt/gonogo/prolog.sh …                       # or TaskProlog= in slurm.conf
#
# Exit 1 where the launch is NO-GO. What gonogo could not check doesn't stop a job, nor does a node without gonogo. Not
# for `Prolog=`: Slurm takes a failure there for the node's fault and drains it.
set -u
PATH=${PATH:-/usr/local/bin:/usr/bin:/bin}  # Slurm gives prologs none
if [ $# -gt 0 ]; then
  gonogo check "$1" >&2
else
  script=$(scontrol write batch_script "${SLURM_JOB_ID:-0}" - 2>/dev/null) || exit 0
  printf '%s\n' "$script" | gonogo check - >&2
fi
[ $? -ne 1 ] && exit 0
# A task prolog's standard output is read by Slurm: "print" writes the rest to the task's.
echo "print gonogo: job ${SLURM_JOB_ID:-?} is NO-GO; its standard error has the reason"
exit 1
