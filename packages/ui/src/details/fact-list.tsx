import type { ReactNode } from 'react';

export interface LabelledFact {
  readonly label: string;
  /** Facts without a value are left out. */
  readonly value: ReactNode | undefined;
}

export function FactList({ facts }: { readonly facts: readonly LabelledFact[] }) {
  return (
    <dl className="facts">
      {facts
        .filter(({ value }) => value !== undefined && value !== '')
        .map(({ label, value }) => (
          <div key={label} className="fact">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
