// The page begins here: settings, the engine, the frame around the views, and the service worker that keeps it all for later.

import {render} from 'preact';
import {App} from './app';
import {EngineProvider, lazyEngine} from './engine/context';
import {keepForOffline} from './state/offline';
import {SettingsProvider} from './state/settings';

const engine = lazyEngine(async () => (await import('./engine/start')).startEngine());

const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no element #app');
render(
  <SettingsProvider>
    <EngineProvider value={engine}>
      <App />
    </EngineProvider>
  </SettingsProvider>,
  root,
);

// Once the page stands: the engine, so that the first answer is not waited for, and what is needed without a network.
addEventListener('load', () => {
  const started = new Promise((resolve) => setTimeout(resolve, 200)).then(() => engine.call('version', {}));
  if (!('serviceWorker' in navigator) || !isSecureContext) return;
  void navigator.serviceWorker.register('./service-worker.js').catch(() => undefined);
  void started.then(keepForOffline).catch(() => undefined);
});
