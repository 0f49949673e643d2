import type { PagePod } from '@karpenter/core/page-api';
import { useAddress, useFilter, useServerTime, useStore, useTranslator } from '../session/index.ts';
import { podName } from '../store/index.ts';
import { keptPods } from './kept-rows.ts';
import { type RowColumn, VirtualTable } from './virtual-table.tsx';

export function PodTable() {
  const { rows } = useStore('rows');
  const filter = useFilter();
  const [{ selected }, change] = useAddress();
  const { text } = useTranslator();
  return (
    <VirtualTable
      title={text('list.pods')}
      rows={keptPods(rows, filter)}
      columns={usePodColumns()}
      keyOf={({ uid }) => uid}
      onOpen={(pod) => change({ selected: { kind: 'pod', name: podName(pod) } })}
      isSelected={(pod) => selected?.kind === 'pod' && selected.name === podName(pod)}
    />
  );
}

function usePodColumns(): readonly RowColumn<PagePod>[] {
  const { text, format } = useTranslator();
  const now = useServerTime();
  return [
    { title: text('field.name'), cell: ({ name }) => name },
    { title: text('field.namespace'), cell: ({ namespace }) => namespace },
    {
      title: text('field.state'),
      cell: ({ phase }) => (
        <>
          <span className={`swatch swatch-${phase}`} aria-hidden="true" /> {text(`phase.${phase}`)}
        </>
      ),
    },
    { title: text('field.node'), cell: ({ nodeName }) => nodeName ?? '–' },
    { title: text('field.cpu'), isNumber: true, cell: ({ requests }) => format.cores(requests['cpu'] ?? 0) },
    {
      title: text('field.memory'),
      isNumber: true,
      cell: ({ requests }) => format.bytes(requests['memory'] ?? 0),
    },
    { title: text('field.restarts'), isNumber: true, cell: ({ restarts }) => format.count(restarts) },
    { title: text('field.age'), isNumber: true, cell: ({ createdAt }) => format.duration(now - createdAt) },
  ];
}
