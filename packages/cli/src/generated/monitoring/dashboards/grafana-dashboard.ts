import { type Dashboard, grafanaUnits, type Panel, type Row } from './dashboard.ts';

// Grafana's grid is 24 columns wide.
const sizes = { lines: { w: 8, h: 8 }, number: { w: 4, h: 4 } } as const;
const columns = 24;
const rowHeight = 1;

const datasource = { type: 'prometheus', uid: '$datasource' } as const;

interface GridPosition {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

interface Placed {
  readonly panel: Panel;
  readonly gridPos: GridPosition;
}

/** The dashboard as Grafana imports it. */
export function grafanaDashboard(dashboard: Dashboard): object {
  const { name, title, description, rows } = dashboard;
  return {
    uid: name,
    title,
    description,
    tags: ['karpenter'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    annotations: { list: [] },
    links: [
      { type: 'dashboards', title: 'Karpenter', tags: ['karpenter'], asDropdown: true, keepTime: true },
    ],
    templating: { list: variables() },
    panels: panelsOf(rows),
  };
}

function variables(): readonly object[] {
  const nodePools = 'label_values(karpenter_nodepools_usage, nodepool)';
  return [
    { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', refresh: 1 },
    {
      name: 'nodepool',
      label: 'NodePool',
      type: 'query',
      datasource,
      definition: nodePools,
      query: { query: nodePools, refId: 'nodepools' },
      refresh: 2,
      sort: 1,
      multi: true,
      includeAll: true,
      // Nodes without a NodePool have an empty label, which `.+` would leave out.
      allValue: '.*',
      current: { text: 'All', value: '$__all' },
    },
  ];
}

function panelsOf(rows: readonly Row[]): readonly object[] {
  let y = 0;
  const panels = rows.flatMap((row) => {
    const header = { type: 'row', title: row.title, gridPos: { x: 0, y, w: columns, h: rowHeight } };
    const placed = place(row.panels, y + rowHeight);
    y = Math.max(y + rowHeight, ...placed.map(({ gridPos }) => gridPos.y + gridPos.h));
    return [header, ...placed.map(grafanaPanel)];
  });
  return panels.map((panel, index) => ({ id: index + 1, ...panel }));
}

/** From left to right; a panel that no longer fits, or is of another height, begins a new line. */
function place(panels: readonly Panel[], top: number): readonly Placed[] {
  let [x, y, height] = [0, top, 0];
  return panels.map((panel) => {
    const { w, h } = sizes[panel.kind ?? 'lines'];
    if (x + w > columns || (height > 0 && h !== height)) [x, y] = [0, y + height];
    height = h;
    const gridPos = { x, y, w, h };
    x += w;
    return { panel, gridPos };
  });
}

function grafanaPanel({ panel, gridPos }: Placed): object {
  const { title, description, unit, kind = 'lines', queries } = panel;
  return {
    type: kind === 'number' ? 'stat' : 'timeseries',
    title,
    description,
    gridPos,
    datasource,
    fieldConfig: {
      defaults: { unit: grafanaUnits[unit], min: 0, custom: kind === 'number' ? {} : lineStyle(panel) },
      overrides: [],
    },
    options:
      kind === 'number'
        ? { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false }, colorMode: 'value' }
        : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource,
      editorMode: 'code',
      expr,
      legendFormat: legend,
      range: true,
    })),
  };
}

function lineStyle({ isStacked = false }: Panel): object {
  return {
    drawStyle: 'line',
    lineWidth: 1,
    fillOpacity: isStacked ? 30 : 5,
    showPoints: 'never',
    stacking: { mode: isStacked ? 'normal' : 'none', group: 'A' },
  };
}
