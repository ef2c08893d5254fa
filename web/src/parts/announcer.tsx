// One live region for the whole page: what a screen reader should say although the focus is elsewhere.

import {createContext, type ComponentChildren} from 'preact';
import {useCallback, useContext, useRef, useState} from 'preact/hooks';

type Announce = (text: string) => void;

const AnnouncerContext = createContext<Announce>(() => undefined);

export function Announcer({children}: {children: ComponentChildren}) {
  const [text, set] = useState('');
  const turn = useRef(false);
  const announce = useCallback<Announce>((said) => {
    // The same sentence twice has to be a change, or it is said once.
    turn.current = !turn.current;
    set(turn.current ? said : `${said}\u00a0`);
  }, []);
  return (
    <AnnouncerContext.Provider value={announce}>
      {children}
      <div class="visually-hidden" role="status" aria-live="polite" aria-atomic="true" data-testid="announcer">
        {text}
      </div>
    </AnnouncerContext.Provider>
  );
}

export function useAnnounce(): Announce {
  return useContext(AnnouncerContext);
}
