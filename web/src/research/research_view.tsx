// For researchers: the policy's probabilities step by step, the tree that a search makes, and the map of exercises.

import {useState} from 'preact/hooks';
import {research} from '../i18n/research';
import {link} from '../router';
import {useText} from '../state/settings';
import type {ViewProps} from '../views';
import {MapView} from './map_view';
import {PolicyView} from './policy_view';
import {ProblemForm, type Asked} from './problem_form';
import {TreeView} from './tree_view';

const tabs = ['policy', 'tree', 'map'] as const;
type Tab = (typeof tabs)[number];

export default function ResearchView({rest}: ViewProps) {
  const t = useText(research);
  const tab: Tab = tabs.find((name) => name === rest) ?? 'policy';
  const [asked, setAsked] = useState<Asked>({problem: '2x + 3 = 7', domain: 'equations', count: 0});
  return (
    <div class="research">
      <header>
        <h1>{t('title')}</h1>
        <p class="lead">{t('intro')}</p>
      </header>
      <nav class="segments" aria-label={t('views')}>
        {tabs.map((name) => (
          <a key={name} href={link('research', name)} aria-current={name === tab ? 'true' : undefined}>
            {t(name)}
          </a>
        ))}
      </nav>
      {tab !== 'map' && <ProblemForm asked={asked} onAsk={setAsked} />}
      {tab === 'policy' && <PolicyView key={`${asked.count} ${asked.domain}`} asked={asked} />}
      {tab === 'tree' && <TreeView asked={asked} />}
      {tab === 'map' && <MapView />}
    </div>
  );
}
