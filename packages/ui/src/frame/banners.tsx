import { useStore, useTranslator } from '../session/index.ts';
import { useFreshness } from './use-freshness.ts';

/** What a reader must know before believing the rest of the page. */
export function Banners() {
  const { freshness, seconds } = useFreshness();
  const { status } = useStore('connection');
  const { text } = useTranslator();
  const problems = status?.problems ?? [];
  return (
    <div role="status">
      {(freshness === 'stale' || freshness === 'lost') && (
        <p className="banner banner-warning">{text('banner.stale', { seconds })}</p>
      )}
      {freshness === 'syncing' && <p className="banner">{text('banner.syncing')}</p>}
      {problems.length > 0 && (
        <div className="banner banner-warning">
          <p>{text('banner.problems')}</p>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
