// The files of the gallery that the menu offers.

import equations from '../../../gallery/equations.domain';
import lightsOut from '../../../gallery/lights-out.domain';
import logic from '../../../gallery/logic.domain';
import sorting from '../../../gallery/sorting.domain';
import sums from '../../../gallery/sums.domain';
import waterJugs from '../../../gallery/water-jugs.domain';

export const gallery: Readonly<Record<string, string>> = {
  sums,
  'water-jugs': waterJugs,
  sorting,
  'lights-out': lightsOut,
  logic,
  equations,
};
