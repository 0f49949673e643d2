import type { SelectedObject } from '../address/index.ts';
import { useAddress, useStore, useTranslator } from '../session/index.ts';
import { findNode, findPod } from '../store/index.ts';
import { NodeDetails } from './node-details.tsx';
import { PodDetails } from './pod-details.tsx';
import { PoolDetails } from './pool-details.tsx';

interface DetailsPanelProps {
  readonly selected: SelectedObject;
  /** Opens a what-if without this node. */
  readonly onWhatIf: (node: string) => void;
}

/** What is selected: its facts and its explanation. */
export function DetailsPanel({ selected, onWhatIf }: DetailsPanelProps) {
  const [, change] = useAddress();
  const { text } = useTranslator();
  return (
    <section
      className="details"
      aria-label={text('details.panel')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') change({ selected: undefined });
      }}
    >
      <button
        type="button"
        className="icon-button icon-close details-close"
        aria-label={text('details.close')}
        title={text('details.close')}
        onClick={() => change({ selected: undefined })}
      />
      <SelectedDetails selected={selected} onWhatIf={onWhatIf} />
    </section>
  );
}

function SelectedDetails({ selected, onWhatIf }: DetailsPanelProps) {
  const { rows } = useStore('rows');
  const { text } = useTranslator();
  const { kind, name } = selected;
  const pod = kind === 'pod' ? findPod(rows, name) : undefined;
  if (pod !== undefined) return <PodDetails pod={pod} />;
  const node = kind === 'node' ? findNode(rows, name) : undefined;
  if (node !== undefined) return <NodeDetails node={node} onWhatIf={onWhatIf} />;
  const pool = kind === 'nodepool' ? rows.pools.get(name) : undefined;
  if (pool !== undefined) return <PoolDetails pool={pool} />;
  return <p className="muted details-gone">{text('details.gone', { name })}</p>;
}
