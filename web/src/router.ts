// Routes are in the fragment (#/practice, #/set/...), so that any static host serves the page from any folder.

import {useLayoutEffect, useState} from 'preact/hooks';

export interface Route {
  view: string; // the first part; '' is the start
  rest: string; // what follows it, undecoded
}

export function readRoute(hash: string): Route {
  const path = hash.replace(/^#?\/?/, '');
  const slash = path.indexOf('/');
  return slash < 0 ? {view: path, rest: ''} : {view: path.slice(0, slash), rest: path.slice(slash + 1)};
}

export function link(view: string, rest = ''): string {
  return `#/${view}${rest === '' ? '' : `/${rest}`}`;
}

export function useRoute(): Route {
  const [route, set] = useState(() => readRoute(location.hash));
  // Before anything else can happen: an effect after the next frame would miss a route that changes until then.
  useLayoutEffect(() => {
    const follow = (): void => set(readRoute(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}
