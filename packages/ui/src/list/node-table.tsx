import type { PageNode } from '@karpenter/core/page-api';
import { scarcerShare } from '../map/index.ts';
import { useAddress, useFilter, useServerTime, useStore, useTranslator } from '../session/index.ts';
import { keptNodes } from './kept-rows.ts';
import { type RowColumn, VirtualTable } from './virtual-table.tsx';

export function NodeTable() {
  const { rows } = useStore('rows');
  const filter = useFilter();
  const [{ selected }, change] = useAddress();
  const { text } = useTranslator();
  return (
    <VirtualTable
      title={text('list.nodes')}
      rows={keptNodes(rows, filter)}
      columns={useNodeColumns()}
      keyOf={({ id }) => id}
      onOpen={({ name }) => change({ selected: { kind: 'node', name } })}
      isSelected={({ name }) => selected?.kind === 'node' && selected.name === name}
    />
  );
}

function useNodeColumns(): readonly RowColumn<PageNode>[] {
  const { text, format } = useTranslator();
  const { rows } = useStore('rows');
  const now = useServerTime();
  return [
    { title: text('field.name'), cell: ({ name }) => name },
    { title: text('field.nodePool'), cell: ({ nodePool }) => nodePool },
    { title: text('field.type'), cell: ({ instanceType }) => instanceType },
    { title: text('field.capacityType'), cell: ({ capacityType }) => capacityType },
    { title: text('field.zone'), cell: ({ zone }) => zone },
    { title: text('field.state'), cell: ({ phase }) => text(`nodePhase.${phase}`) },
    {
      title: text('field.requests'),
      isNumber: true,
      cell: ({ requested, allocatable }) => format.percent(scarcerShare(requested, allocatable)),
    },
    { title: text('field.pods'), isNumber: true, cell: (node) => format.count(rows.podCountOf(node)) },
    {
      title: text('field.price'),
      isNumber: true,
      cell: ({ price }) => (price === undefined ? '–' : format.money(price.hourly)),
    },
    { title: text('field.age'), isNumber: true, cell: ({ createdAt }) => format.duration(now - createdAt) },
  ];
}
