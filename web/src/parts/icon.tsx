// Icons drawn with strokes in the colour of the text around them; never the only bearer of a meaning.

const paths = {
  logo: 'M4 17 L9 8 L13 14 L20 4 M20 4 L15.5 4.6 M20 4 L19.6 8.6 M4 20.5 H20',
  pencil: 'M4 20 L5 15.5 L15.5 5 A2.1 2.1 0 0 1 19 8.5 L8.5 19 Z M13.5 7 L17 10.5',
  target: 'M12 3 A9 9 0 1 0 21 12 M12 7.5 A4.5 4.5 0 1 0 16.5 12 M12 12 L20 4 M16.5 4 V7.5 H20',
  sheet: 'M6 3 H14 L19 8 V21 H6 Z M14 3 V8 H19 M9 12.5 H16 M9 16.5 H14',
  tree: 'M12 6.5 V10 M12 10 L6 15 M12 10 L18 15 M12 10 V15 M10 4.5 A2 2 0 1 0 14 4.5 A2 2 0 1 0 10 4.5 M4 17 A2 2 0 1 0 8 17 A2 2 0 1 0 4 17 M10 17 A2 2 0 1 0 14 17 A2 2 0 1 0 10 17 M16 17 A2 2 0 1 0 20 17 A2 2 0 1 0 16 17',
  person: 'M12 4 A4 4 0 1 0 12.01 4 M4 20.5 C4 15.5 8 14 12 14 C16 14 20 15.5 20 20.5',
  info: 'M12 3 A9 9 0 1 0 12.01 3 M12 11 V16.5 M12 7.5 V7.6',
  globe: 'M12 3 A9 9 0 1 0 12.01 3 M3 12 H21 M12 3 C7.5 8 7.5 16 12 21 C16.5 16 16.5 8 12 3',
  sun: 'M12 8 A4 4 0 1 0 12.01 8 M12 2.5 V4.5 M12 19.5 V21.5 M2.5 12 H4.5 M19.5 12 H21.5 M5.3 5.3 L6.7 6.7 M17.3 17.3 L18.7 18.7 M5.3 18.7 L6.7 17.3 M17.3 6.7 L18.7 5.3',
  moon: 'M20 14.5 A8.5 8.5 0 1 1 9.5 4 A7 7 0 0 0 20 14.5 Z',
  contrast: 'M12 3 A9 9 0 1 0 12.01 3 M12 3 V21 M12 7 H16 M12 11 H18.5 M12 15 H18 M12 19 H15',
  lock: 'M6 11 H18 V20 H6 Z M8.5 11 V8 A3.5 3.5 0 0 1 15.5 8 V11',
  check: 'M5 12.5 L10 17.5 L19 7',
  cross: 'M6 6 L18 18 M18 6 L6 18',
  question: 'M9 9 A3 3 0 1 1 12.8 11.9 C12.2 12.2 12 12.8 12 13.5 V14 M12 17.5 V17.6',
  warning: 'M12 4 L21 19.5 H3 Z M12 10 V14.5 M12 17 V17.1',
  bulb: 'M9 18 H15 M10 21 H14 M8.5 15 C6.5 13.5 6 11.5 6 9.7 A6 6 0 0 1 18 9.7 C18 11.5 17.5 13.5 15.5 15 Z',
  undo: 'M8 5 L4 9 L8 13 M4 9 H14 A5.5 5.5 0 0 1 14 20 H9',
  steps: 'M4 20 V15 H9 V10 H14 V5 H20',
  arrow: 'M4 12 H20 M14 6 L20 12 L14 18',
  back: 'M20 12 H4 M10 6 L4 12 L10 18',
  dice: 'M5 5 H19 V19 H5 Z M9 9 V9.1 M15 9 V9.1 M12 12 V12.1 M9 15 V15.1 M15 15 V15.1',
  star: 'M12 4 L14.5 9.3 L20.2 10 L16 14 L17.1 19.8 L12 17 L6.9 19.8 L8 14 L3.8 10 L9.5 9.3 Z',
  plus: 'M12 5 V19 M5 12 H19',
  up: 'M12 19 V5 M6 11 L12 5 L18 11',
  down: 'M12 5 V19 M6 13 L12 19 L18 13',
  trash: 'M5 7 H19 M10 7 V4.5 H14 V7 M7 7 L8 20 H16 L17 7',
  link: 'M10 14 A4 4 0 0 0 15.5 14 L19 10.5 A3.9 3.9 0 0 0 13.5 5 L12 6.5 M14 10 A4 4 0 0 0 8.5 10 L5 13.5 A3.9 3.9 0 0 0 10.5 19 L12 17.5',
  print: 'M7 9 V4 H17 V9 M7 17 H4 V9 H20 V17 H17 M7 14 H17 V20 H7 Z',
  download: 'M12 4 V15 M7 10.5 L12 15.5 L17 10.5 M5 20 H19',
  play: 'M8 5 L19 12 L8 19 Z',
  keyboard: 'M3 7 H21 V17 H3 Z M7 10.5 V10.6 M10.3 10.5 V10.6 M13.6 10.5 V10.6 M17 10.5 V10.6 M8 14 H16',
} as const;

export type IconName = keyof typeof paths;

export function Icon({name}: {name: IconName}) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
