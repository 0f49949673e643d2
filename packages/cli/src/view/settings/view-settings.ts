import type { ColumnName } from '../nodes/node-columns.ts';
import type { Palette } from '../screen/colours.ts';

/** How nodes are sorted: by creation or by a label, real or computed. */
export interface NodeSort {
  readonly key: string;
  readonly isAscending: boolean;
}

/** What to group nodes by: a known word or any label key. */
type Grouping = string;

export interface ViewSettings {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly isPricing: boolean;
  readonly extraLabels: readonly string[];
  readonly nodeSelector: string;
  readonly sort: NodeSort;
  readonly resources: readonly string[];
  readonly palette: Palette;
  readonly columns: readonly ColumnName[];
  readonly groupBy?: Grouping;
}
