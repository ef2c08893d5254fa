#!/bin/bash
# A training run on two machines with four GPUs each, one rank per GPU. srun tells every rank who it is.
#
#   sbatch deploy/slurm.sh
#
# A rank that fails ends the others, and the job; sbatch --requeue, or the same command again, goes on from the last whole
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
srun --kill-on-bad-exit=1 build/conpole-torch train --config configs/equations.toml --device cuda \
  --threads "${SLURM_CPUS_PER_TASK:-8}" --out runs/equations --resume
