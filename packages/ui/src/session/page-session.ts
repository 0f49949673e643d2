import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import type { PageTheme, ViewAddress } from '../address/index.ts';
import type { ClusterStream } from '../connection/index.ts';
import { parseFilter, type RowFilter } from '../filter/index.ts';
import { preferredLanguage, type Translator, translatorOf } from '../language/index.ts';
import type { ClusterStore, StoreTopic } from '../store/index.ts';
import type { AddressBar } from './address-bar.ts';

/** What lives as long as the page. */
export interface PageSession {
  readonly store: ClusterStore;
  readonly stream: ClusterStream;
  readonly bar: AddressBar;
}

export const SessionContext = createContext<PageSession | undefined>(undefined);

export function useSession(): PageSession {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('a part of the page is outside of its session');
  return session;
}

/** Renders again when the topic changes, at most a few times a second. */
export function useStore(topic: StoreTopic): ClusterStore {
  const { store } = useSession();
  const subscribe = useCallback((listener: () => void) => store.subscribe(topic, listener), [store, topic]);
  useSyncExternalStore(subscribe, () => store.version(topic));
  return store;
}

export function useAddress(): readonly [ViewAddress, AddressBar['change']] {
  const { bar } = useSession();
  const address = useSyncExternalStore(bar.subscribe, () => bar.address);
  return [address, useCallback((change) => bar.change(change), [bar])];
}

export function useTranslator(): Translator {
  const [{ language }] = useAddress();
  const chosen = language ?? preferredLanguage(navigator.languages);
  return useMemo(() => translatorOf(chosen), [chosen]);
}

export function useFilter(): RowFilter {
  const [{ filter }] = useAddress();
  return useMemo(() => parseFilter(filter), [filter]);
}

/** The theme of the address, else of the system. */
export function useTheme(): PageTheme {
  const [{ theme }] = useAddress();
  const isDark = useMediaQuery('(prefers-color-scheme: dark)');
  return theme ?? (isDark ? 'dark' : 'light');
}

export function useMediaQuery(query: string): boolean {
  const media = useMemo(() => matchMedia(query), [query]);
  const subscribe = useCallback(
    (listener: () => void) => {
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [media],
  );
  return useSyncExternalStore(subscribe, () => media.matches);
}

/** The time of the server, every second: ages are right where the clock of this machine is not. */
export function useServerTime(): number {
  const { store } = useSession();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now + store.clockOffset;
}
