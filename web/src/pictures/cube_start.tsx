// A cube to begin with, for those who have one in their hands: its entry is fetched when it is opened.

import type {FunctionComponent} from 'preact';
import {useState} from 'preact/hooks';
import {useTutor} from '../engine/context';
import {messageOf} from '../engine/engine';
import type {Reading} from '../engine/wire';
import {pictures} from '../i18n/pictures';
import {Icon} from '../parts/icon';
import {useText} from '../state/settings';
import type {CubeEntryProps} from './cube_entry';

export function CubeStart({onRead}: {onRead: (reading: Reading) => void}) {
  const text = useText(pictures);
  const tutor = useTutor();
  const [Entry, setEntry] = useState<FunctionComponent<CubeEntryProps> | null>(null);
  const [facelets, setFacelets] = useState<string | null>(null);
  const [fault, setFault] = useState('');

  const open = (): void => {
    if (Entry === null) import('./cube_entry').then(({CubeEntry}) => setEntry(() => CubeEntry)).catch(() => undefined);
  };
  const change = (entered: string | null): void => {
    setFacelets(entered);
    setFault('');
  };
  const use = async (): Promise<void> => {
    if (facelets === null) return;
    try {
      const reading = await tutor.read({text: facelets, domain: 'rubiks-cube'});
      if (reading.status !== 'no_solution') return onRead(reading);
      // Why no turns solve it.
      setFault((await tutor.hint({line: reading.state, domain: reading.domain, level: 1})).text);
    } catch (error) {
      setFault(messageOf(error));
    }
  };
  return (
    <details class="cube-start" onToggle={open}>
      <summary>{text('cube_start')}</summary>
      {Entry !== null && (
        <div class="card">
          <Entry onChange={change} />
          <div role="alert">
            {fault !== '' && (
              <p class="trouble">
                <Icon name="warning" /> {fault}
              </p>
            )}
          </div>
          <button type="button" class="primary" disabled={facelets === null} onClick={() => void use()}>
            {text('cube_use')}
            <Icon name="arrow" />
          </button>
        </div>
      )}
    </details>
  );
}
