// The page begins here: settings, the engine, the frame around the views, and the service worker that keeps it all for later.

import {render} from 'preact';
import {App} from './app';
import {EngineProvider, lazyEngine} from './engine/context';
import {loadTexts} from './i18n/table';
import {packedSet} from './platform/course_place';
import {keepForOffline} from './state/offline';
import {initialSettings, SettingsProvider} from './state/settings';

const course = packedSet();
const engine = lazyEngine(async () => (await import('./engine/start')).startEngine());

// Once the page stands: the engine, so that the first answer is not waited for, and what is needed without a network.
addEventListener('load', () => {
  const started = new Promise((resolve) => setTimeout(resolve, 200)).then(() => engine.call('version', {}));
  if (course !== null || !('serviceWorker' in navigator) || !isSecureContext) return;
  void navigator.serviceWorker.register('./service-worker.js').catch(() => undefined);
  void started.then(keepForOffline).catch(() => undefined);
});

await loadTexts(initialSettings().language).catch(() => undefined);
const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no element #app');
const CourseView = course === null ? null : (await import('./platform/course_view')).default;
render(
  <SettingsProvider>
    <EngineProvider value={engine}>
      {CourseView === null || course === null ? <App /> : <CourseView fragment={course} />}
    </EngineProvider>
  </SettingsProvider>,
  root,
);
