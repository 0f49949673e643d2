import { NodeTable } from './node-table.tsx';
import { PodTable } from './pod-table.tsx';

/** The same as the map, as tables: for screen readers, for copying, and for exact figures. */
export function RowLists() {
  return (
    <div className="lists">
      <div className="list">
        <NodeTable />
      </div>
      <div className="list">
        <PodTable />
      </div>
    </div>
  );
}
