#!/bin/bash
# A training run on two machines with four GPUs each, one rank per GPU. srun gives every rank its number.
#
#   sbatch deploy/slurm.sh
#
# If a rank fails, the others and the job end; sbatch --requeue, or the same command again, goes on from the last complete
# checkpoint. The run's folder must be on a file system that all machines share.
#SBATCH --job-name=conpole
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=04:00:00
#SBATCH --requeue
set -euo pipefail
cd "${SLURM_SUBMIT_DIR:-.}"
srun --kill-on-bad-exit=1 build/conpole-torch train equations --device cuda \
  --threads "${SLURM_CPUS_PER_TASK:-8}" --out runs/equations --resume
