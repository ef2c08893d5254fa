import type {NextStep, Picture as PictureData} from '../engine/wire';

interface PictureProps {
  picture: PictureData;
  steps?: readonly NextStep[];
  onStep?: (step: NextStep) => void;
}

export function Picture(_: PictureProps) {
  return null;
}
