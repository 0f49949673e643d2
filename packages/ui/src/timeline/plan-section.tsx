import type { ReactNode } from 'react';
import { useTranslator } from '../session/index.ts';

interface PlanSectionProps {
  readonly title: string;
  readonly count: number;
  readonly children: ReactNode;
}

/** A part of a plan; nothing where the plan has none of it. */
export function PlanSection({ title, count, children }: PlanSectionProps) {
  const { format } = useTranslator();
  if (count === 0) return null;
  return (
    <section className="plan-section">
      <h3>
        {title} <span className="muted">{format.count(count)}</span>
      </h3>
      <ul>{children}</ul>
    </section>
  );
}
