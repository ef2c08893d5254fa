// The picture that belongs to a line, if its domain has one.

import type {Picture as PictureData} from '../engine/wire';
import {Bars} from './bars';
import {Cube} from './cube';
import {Fractions} from './fractions';

export function Picture({picture}: {picture: PictureData | null | undefined}) {
  if (picture === null || picture === undefined) return null;
  switch (picture.kind) {
    case 'bars':
      return <Bars values={picture.values} moved={picture.moved} />;
    case 'cube':
      return <Cube stickers={picture.stickers} />;
    case 'fractions':
      return <Fractions terms={picture.terms} />;
    default:
      return null;
  }
}
