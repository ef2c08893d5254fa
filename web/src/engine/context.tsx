// The one engine of the page, started when it is first asked, and how components ask it.

import {createContext} from 'preact';
import {useContext, useMemo} from 'preact/hooks';
import {useSettings} from '../state/settings';
import {tutorOf, type Engine, type Tutor} from './engine';

const EngineContext = createContext<Engine | null>(null);
export const EngineProvider = EngineContext.Provider;

export function useEngine(): Engine {
  const engine = useContext(EngineContext);
  if (engine === null) throw new Error('useEngine outside of EngineProvider');
  return engine;
}

/** The engine's operations in the chosen language. */
export function useTutor(): Tutor {
  const engine = useEngine();
  const {language} = useSettings();
  return useMemo(() => tutorOf(engine, language), [engine, language]);
}

/** An engine that starts the real one at its first call; if that fails, the next call tries again. */
export function lazyEngine(start: () => Promise<Engine>): Engine {
  let started: Promise<Engine> | null = null;
  const running = (): Promise<Engine> => {
    started ??= start().catch((error: unknown) => {
      started = null;
      throw error;
    });
    return started;
  };
  return {
    call: async (operation, request, options) => (await running()).call(operation, request, options),
    close: () => {
      void started?.then((engine) => engine.close());
      started = null;
    },
  };
}
