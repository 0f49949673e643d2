import { type ReactNode, useState } from 'react';
import { DetailsPanel } from '../details/index.ts';
import { EmptyState } from '../empty-state/index.ts';
import { RowLists } from '../list/index.ts';
import { ClusterMap } from '../map/index.ts';
import { useAddress, useStore, useTranslator } from '../session/index.ts';
import { LatestDecisions } from '../timeline/index.ts';
import { WhatIfDialog } from '../what-if/index.ts';
import { MapLegend } from './map-legend.tsx';
import { MapToolbar } from './map-toolbar.tsx';

interface MapTabProps {
  /** Shown beside the map instead of the latest decisions. */
  readonly side?: ReactNode;
}

/** The map or the lists, with the details of what is selected beside them. */
export function MapTab({ side }: MapTabProps) {
  const [{ form, selected, isWall }] = useAddress();
  const [removedNode, setRemovedNode] = useState<string>();
  const isOpen = selected !== undefined && selected.kind !== 'decision';
  return (
    <div className={`map-tab${isOpen || side !== undefined ? ' has-panel' : ''}`}>
      <section className="map-main">
        {!isWall && <MapToolbar onWhatIf={() => setRemovedNode('')} />}
        <MapContent form={form} />
        <MapLegend />
      </section>
      <aside className="side">
        {isOpen && <DetailsPanel selected={selected} onWhatIf={setRemovedNode} />}
        {side ?? (!isOpen && <LatestDecisions />)}
      </aside>
      {removedNode !== undefined && (
        <WhatIfDialog removedNode={removedNode} onClose={() => setRemovedNode(undefined)} />
      )}
    </div>
  );
}

function MapContent({ form }: { readonly form: 'map' | 'list' }) {
  const { connection } = useStore('connection');
  const { rows } = useStore('rows');
  const { text } = useTranslator();
  if (connection === 'connecting')
    return <EmptyState title={text('empty.connecting')} hint={text('empty.connectingHint')} isBusy />;
  if (rows.nodes.size === 0 && rows.pods.size === 0)
    return <EmptyState title={text('empty.nodes')} hint={text('empty.nodesHint')} />;
  return form === 'list' ? <RowLists /> : <ClusterMap />;
}
