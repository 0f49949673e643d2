import type { MessageKey } from '../language/index.ts';
import { useTranslator } from '../session/index.ts';
import type { Freshness } from './freshness.ts';
import { useFreshness } from './use-freshness.ts';

const keys: Readonly<Record<Freshness, MessageKey>> = {
  live: 'top.live',
  connecting: 'top.connecting',
  lost: 'top.lost',
  stale: 'top.stale',
  syncing: 'top.syncing',
};

/** Says at all times whether the page follows the cluster. */
export function LiveMark() {
  const { freshness, seconds } = useFreshness();
  const { text } = useTranslator();
  return (
    <span className={`live live-${freshness}`} data-freshness={freshness}>
      <span className="live-dot" aria-hidden="true" />
      {text(keys[freshness], { seconds })}
    </span>
  );
}
