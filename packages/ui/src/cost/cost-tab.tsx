import { useState } from 'react';
import { useStore, useTranslator } from '../session/index.ts';
import { spotShare } from '../store/index.ts';
import { CostChart } from './cost-chart.tsx';
import { capacityName } from './group-names.ts';
import type { ChartGrouping } from './stacked-series.ts';

/** As AWS bills count them: 8,760 / 12. */
const hoursPerMonth = 730;

/** What the cluster costs: now, over time, and by what. */
export function CostTab() {
  const { text } = useTranslator();
  const [grouping, setGrouping] = useState<ChartGrouping>('byCapacityType');
  return (
    <div className="cost">
      <CostCards />
      <section className="card">
        <div className="section-head">
          <h2>{text('cost.overTime')}</h2>
          <fieldset className="segments">
            {(['byCapacityType', 'byPool'] as const).map((choice) => (
              <button
                key={choice}
                type="button"
                aria-pressed={grouping === choice}
                onClick={() => setGrouping(choice)}
              >
                {text(`cost.${choice}`)}
              </button>
            ))}
          </fieldset>
        </div>
        <CostChart grouping={grouping} />
        <CostNotes />
      </section>
      <div className="cost-tables">
        <CostTable grouping="byPool" />
        <CostTable grouping="byCapacityType" />
      </div>
    </div>
  );
}

function CostCards() {
  const { cost } = useStore('rows');
  const { text, format } = useTranslator();
  const savings = cost.onDemandHourly - cost.hourly;
  const share = cost.onDemandHourly === 0 ? 0 : savings / cost.onDemandHourly;
  return (
    <dl className="cards">
      <CostCard value={format.money(cost.hourly)} label={text('cost.perHour')} />
      <CostCard value={format.money(cost.hourly * hoursPerMonth)} label={text('cost.perMonth')} />
      <CostCard
        value={`${format.money(savings)}/h`}
        label={`${text('cost.savings')} · ${format.percent(share)}`}
        isGood
      />
      <CostCard value={format.percent(spotShare(cost))} label={text('cost.spotShare')} />
      {cost.unpriced > 0 && <CostCard value={format.count(cost.unpriced)} label={text('cost.unpriced')} />}
    </dl>
  );
}

interface CostCardProps {
  readonly value: string;
  readonly label: string;
  readonly isGood?: boolean;
}

function CostCard({ value, label, isGood = false }: CostCardProps) {
  return (
    <div className={`card cost-card${isGood ? ' is-good' : ''}`}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function CostNotes() {
  const { cost } = useStore('rows');
  const { decisions } = useStore('decisions');
  const { text } = useTranslator();
  const notes = [
    ...(cost.isEstimated ? [text('cost.estimated')] : []),
    ...(decisions.length > 0 ? [text('cost.past')] : []),
  ];
  return <p className="muted cost-notes">{notes.join(' ')}</p>;
}

function CostTable({ grouping }: { readonly grouping: ChartGrouping }) {
  const { cost } = useStore('rows');
  const translator = useTranslator();
  const { text, format } = translator;
  const parts = [...cost[grouping]].sort(([, a], [, b]) => b - a);
  return (
    <section className="card">
      <table className="table">
        <caption>{text(`cost.${grouping}`)}</caption>
        <thead>
          <tr>
            <th scope="col">{text('field.name')}</th>
            <th scope="col">{text('cost.share')}</th>
            <th scope="col" className="number">
              {text('cost.perHour')}
            </th>
            <th scope="col" className="number">
              {text('cost.perMonth')}
            </th>
          </tr>
        </thead>
        <tbody>
          {parts.map(([name, hourly]) => (
            <tr key={name}>
              <th scope="row">{capacityName(translator, name)}</th>
              <td>
                <meter
                  className="meter"
                  min={0}
                  max={1}
                  value={cost.hourly === 0 ? 0 : hourly / cost.hourly}
                  aria-label={text('cost.share')}
                />
              </td>
              <td className="number">{format.money(hourly)}</td>
              <td className="number">{format.money(hourly * hoursPerMonth)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
