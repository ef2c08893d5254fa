// Buttons that copy the address of a route of this page. Where the browser refuses that, the address is shown, to be copied by hand.

import {useState} from 'preact/hooks';
import {frame} from '../i18n/frame';
import {useText} from '../state/settings';
import {useAnnounce} from './announcer';
import {Icon} from './icon';

export function fullAddress(route: string): string {
  return `${location.href.replace(/#.*$/s, '')}${route}`;
}

export function CopyLink({label, route}: {label: string; route: string}) {
  const t = useText(frame);
  const announce = useAnnounce();
  const [outcome, setOutcome] = useState<'copied' | 'copy_failed' | null>(null);
  const copy = async (): Promise<void> => {
    const done = await navigator.clipboard.writeText(fullAddress(route)).then(() => 'copied' as const, () => 'copy_failed' as const); // prettier-ignore
    setOutcome(done);
    announce(t(done));
  };
  return (
    <>
      <button type="button" class="quiet copy-link" onClick={() => void copy()}>
        <Icon name={outcome === 'copied' ? 'check' : 'link'} />
        {label}
      </button>
      {outcome === 'copy_failed' && <input type="text" readOnly aria-label={label} value={fullAddress(route)} onFocus={(event) => event.currentTarget.select()} />}
    </>
  );
}

/** A link to read, to copy and to open. */
export function LinkField({label, copy, open, route}: {label: string; copy: string; open: string; route: string}) {
  return (
    <div class="stack">
      <label class="labelled">
        <span>{label}</span>
        <input type="text" readOnly value={fullAddress(route)} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <div class="row">
        <CopyLink label={copy} route={route} />
        <a class="button" href={route}>
          <Icon name="play" />
          {open}
        </a>
      </div>
    </div>
  );
}
