import { useState } from 'react';
import { mapGroupings } from '../map/index.ts';
import { useAddress, useStore, useTranslator } from '../session/index.ts';

type KnownGrouping = (typeof mapGroupings)[number];

const isKnown = (groupBy: string): groupBy is KnownGrouping =>
  mapGroupings.some((known) => known === groupBy);

/** By NodePool, zone and so on, or by any label that nodes have. */
export function GroupingField() {
  const [{ groupBy }, change] = useAddress();
  const [isLabel, setIsLabel] = useState(!isKnown(groupBy));
  const { text } = useTranslator();
  return (
    <div className="grouping">
      <select
        aria-label={text('group.label')}
        value={isLabel ? 'label' : groupBy}
        onChange={(event) => {
          const { value } = event.target;
          setIsLabel(value === 'label');
          if (value !== 'label') change({ groupBy: value });
        }}
      >
        {mapGroupings.map((known) => (
          <option key={known} value={known}>
            {text(`group.${known}`)}
          </option>
        ))}
        <option value="label">{text('group.label-key')}</option>
      </select>
      {isLabel && <LabelField />}
    </div>
  );
}

function LabelField() {
  const [{ groupBy }, change] = useAddress();
  const { rows } = useStore('rows');
  const { text } = useTranslator();
  const keys = new Set<string>();
  for (const { labels } of rows.nodes.values()) for (const key of Object.keys(labels)) keys.add(key);
  return (
    <>
      <input
        type="text"
        list="node-labels"
        aria-label={text('group.labelName')}
        placeholder={text('group.labelName')}
        defaultValue={isKnown(groupBy) ? '' : groupBy}
        onChange={(event) => change({ groupBy: event.target.value || 'none' })}
      />
      <datalist id="node-labels">
        {[...keys].sort().map((key) => (
          <option key={key} value={key} />
        ))}
      </datalist>
    </>
  );
}
