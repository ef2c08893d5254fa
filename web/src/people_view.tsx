// Who works at this computer, what is kept of them and where, and how it is deleted.

import {useState} from 'preact/hooks';
import {people as texts} from './i18n/people';
import {Confirmed} from './parts/confirmed';
import {Icon} from './parts/icon';
import {link} from './router';
import {currentPerson, longestName, people, removePerson, withPerson} from './state/people';
import {useText} from './state/settings';
import {clearPlace, guest, whoWorks, workAs} from './state/storage';
import type {ViewProps} from './views';

/** Everything that is shown comes from another place: the page begins anew. */
function begin(): void {
  location.hash = link('');
  location.reload();
}

export default function PeopleView(_: ViewProps) {
  const t = useText(texts);
  const [all, setAll] = useState(people);
  const [name, setName] = useState('');
  const who = whoWorks();
  const now = who === guest ? t('now_guest') : t('now', {name: currentPerson()?.name ?? t('nobody')});
  const become = (id: string): void => {
    if (who === guest) clearPlace(guest);
    workAs(id);
    begin();
  };
  const add = (event: Event): void => {
    event.preventDefault();
    const person = withPerson(name);
    if (person !== null) become(person.id);
  };
  return (
    <article class="prose people">
      <h1>{t('title')}</h1>
      <p>{t('intro')}</p>
      <p>
        <strong>{now}</strong>
      </p>
      <ul>
        {all.map((person) => (
          <li key={person.id} class="row">
            <button type="button" disabled={person.id === who} onClick={() => become(person.id)}>
              <Icon name="person" />
              {t('work_as', {name: person.name})}
            </button>
            <Confirmed label={t('delete_one', {name: person.name})} onConfirmed={() => (removePerson(person.id), person.id === who ? begin() : setAll(people()))} />
          </li>
        ))}
      </ul>
      <form class="row" onSubmit={add}>
        <label class="labelled">
          <span>{t('name')}</span>
          <input type="text" value={name} maxLength={longestName} autocomplete="off" onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button type="submit" disabled={name.trim() === ''}>
          {t('add')}
        </button>
      </form>
      <div class="row">
        {who !== guest && (
          <button type="button" onClick={() => become(guest)}>
            {t('as_guest')}
          </button>
        )}
        {who !== '' && (
          <button type="button" onClick={() => become('')}>
            {t('without_name')}
          </button>
        )}
      </div>
      <p class="fine">{t('guest_help')}</p>
      <h2>{t('kept_title')}</h2>
      <p>{t('kept_here')}</p>
      <p>{t('kept_school')}</p>
      <p>{t('kept_not')}</p>
      <Confirmed label={t('delete_all')} onConfirmed={() => (clearPlace('all'), begin())} />
    </article>
  );
}
