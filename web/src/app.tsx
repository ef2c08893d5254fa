// The frame: header, navigation, the view of the current route, footer.

import type {ComponentChildren, FunctionComponent} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {frame} from './i18n/frame';
import {languages} from './i18n/table';
import {Icon, type IconName} from './parts/icon';
import {Announcer} from './parts/announcer';
import {Interim} from './parts/interim';
import {link, useRoute, type Route} from './router';
import {onKept, type Kept} from './state/offline';
import {currentPerson} from './state/people';
import {useSettings, useText, type Theme} from './state/settings';
import {guest, whoWorks} from './state/storage';
import {views, type View, type ViewProps} from './views';

export function App() {
  const route = useRoute();
  const view = views.find((candidate) => candidate.route === route.view || candidate.more?.includes(route.view) === true);
  const t = useText(frame);
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    document.title = view === undefined || view.route === '' ? 'conpole' : `${t(view.name)} · conpole`;
  }, [view, t]);
  useEffect(() => {
    // A new view begins at its top, also for screen readers; the first one is left alone.
    if (!first.current) {
      main.current?.focus({preventScroll: true});
      scrollTo(0, 0);
    }
    first.current = false;
  }, [view]);
  return (
    <Announcer>
      <a class="skip-link" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        {t('skip')}
      </a>
      <Header current={view} />
      <main id="main" ref={main} tabIndex={-1}>
        {view === undefined ? <NotFound /> : <Lazy key={view.name} view={view} route={route} />}
      </main>
      <Footer isOnServer={view?.name === 'class' || view?.name === 'results' || view?.name === 'runs'} />
    </Announcer>
  );
}

const icons: Record<View['name'], IconName> = {
  solve: 'pencil',
  practice: 'target',
  teach: 'sheet',
  set: 'sheet',
  class: 'sheet',
  results: 'sheet',
  research: 'tree',
  playground: 'dice',
  runs: 'steps',
  about: 'info',
  people: 'person',
};

function Header({current}: {current: View | undefined}) {
  const t = useText(frame);
  return (
    <header class="page-header">
      <a class="wordmark" href={link('')}>
        <Icon name="logo" />
        <span>conpole</span>
      </a>
      <nav aria-label={t('navigation')} class="views">
        {views
          .filter((view) => view.inNavigation)
          .map((view) => (
            <a key={view.name} href={link(view.route)} aria-current={view === current ? 'page' : undefined}>
              <Icon name={icons[view.name]} />
              <span>{t(view.name)}</span>
            </a>
          ))}
      </nav>
      <Preferences>
        <WhoWorks />
      </Preferences>
    </header>
  );
}

/** Leads to the places of people at this computer; says whose place it is. */
function WhoWorks() {
  const t = useText(frame);
  const name = whoWorks() === guest ? t('guest') : currentPerson()?.name;
  return (
    <a class={name === undefined ? 'button quiet icon-only' : 'button quiet'} href={link('people')} title={t('people')} aria-label={name === undefined ? t('people') : `${name}: ${t('people')}`}>
      <Icon name="person" />
      {name !== undefined && <span class="who">{name}</span>}
    </a>
  );
}

const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** Language and appearance. */
export function Preferences({children}: {children?: ComponentChildren}) {
  const t = useText(frame);
  const {language, theme, change} = useSettings();
  const nextTheme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  const themeIcons: Record<Theme, IconName> = {system: 'contrast', light: 'sun', dark: 'moon'};
  const name = `${t('theme')}: ${t(`theme_${theme}`)}`;
  return (
    <div class="preferences">
      {children}
      <label class="language" title={t('language')}>
        <Icon name="globe" />
        <select aria-label={t('language')} value={language} onChange={(event) => change({language: event.currentTarget.value})}>
          {languages.map(({code, name: ownName}) => (
            <option key={code} value={code} lang={code}>
              {ownName}
            </option>
          ))}
        </select>
      </label>
      <button type="button" class="quiet icon-only" aria-label={name} title={name} onClick={() => change({theme: nextTheme})}>
        <Icon name={themeIcons[theme]} />
      </button>
    </div>
  );
}

function Lazy({view, route}: {view: View; route: Route}) {
  const t = useText(frame);
  const [Component, set] = useState<FunctionComponent<ViewProps> | null>(null);
  const [failed, fail] = useState(false);
  const [attempt, retry] = useState(0);
  useEffect(() => {
    fail(false);
    view.load().then(
      (module) => set(() => module.default),
      () => fail(true),
    );
  }, [view, attempt]);
  if (failed) {
    return (
      <Interim title={t(view.name)}>
        <div class="notice" role="alert">
          <p>{t('view_failed')}</p>
          <button type="button" onClick={() => retry(attempt + 1)}>
            {t('again')}
          </button>
        </div>
      </Interim>
    );
  }
  return Component === null ? <Interim title={t(view.name)} /> : <Component {...route} />;
}

function NotFound() {
  const t = useText(frame);
  return (
    <div class="notice">
      <h1>{t('not_found')}</h1>
      <a class="button" href={link('')}>
        {t('home')}
      </a>
    </div>
  );
}

function Footer({isOnServer}: {isOnServer: boolean}) {
  const t = useText(frame);
  const [kept, setKept] = useState<Kept | null>(null);
  useEffect(() => onKept(setKept), []);
  return (
    <footer class="page-footer">
      <span>
        <Icon name="lock" /> {t(isOnServer ? 'on_server' : 'private')}
      </span>
      {kept !== null && <span class="kept">{kept.done === kept.all ? t('offline_ready') : t('offline_partly', {...kept})}</span>}
      <a href={link('about')}>{t('about')}</a>
    </footer>
  );
}
