import type { PageBudget, PagePool } from '@karpenter/core/page-api';
import { UsageBar } from '../details/index.ts';
import { EmptyState } from '../empty-state/index.ts';
import { useAddress, useStore, useTranslator } from '../session/index.ts';

/** NodePools with limits, usage, and budgets now and next. */
export function PoolsTab() {
  const { rows } = useStore('rows');
  const { text } = useTranslator();
  const pools = [...rows.pools.values()].sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1));
  if (pools.length === 0) return <EmptyState title={text('empty.pools')} hint={text('empty.poolsHint')} />;
  return (
    <div className="pools">
      {pools.map((pool) => (
        <PoolCard key={pool.name} pool={pool} />
      ))}
    </div>
  );
}

function PoolCard({ pool }: { readonly pool: PagePool }) {
  const { text, format } = useTranslator();
  const [, change] = useAddress();
  return (
    <section className="card pool" aria-label={pool.name}>
      <div className="section-head">
        <h2>{pool.name}</h2>
        <span className={pool.isReady ? 'badge badge-good' : 'badge badge-bad'}>
          {text(pool.isReady ? 'pools.ready' : 'pools.notReady')}
        </span>
      </div>
      {pool.message !== undefined && <p className="problem">{pool.message}</p>}
      <dl className="pool-figures">
        <PoolFigure label={text('pools.nodes')} value={format.count(pool.nodes)} />
        <PoolFigure label={text('top.hourly')} value={format.money(pool.hourly)} />
        <PoolFigure label={text('pools.weight')} value={format.count(pool.weight)} />
        <PoolFigure
          label={text('pools.policy')}
          value={`${pool.consolidationPolicy} · ${text('pools.after', { duration: pool.consolidateAfter })}`}
        />
      </dl>
      <PoolLimits pool={pool} />
      <PoolBudgets pool={pool} />
      <button
        type="button"
        className="link"
        onClick={() => change({ tab: 'map', selected: { kind: 'nodepool', name: pool.name } })}
      >
        {text('pools.explain')}
      </button>
    </section>
  );
}

function PoolFigure({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function PoolLimits({ pool }: { readonly pool: PagePool }) {
  const { text, format } = useTranslator();
  const limits = Object.entries(pool.limits);
  return (
    <div>
      <h3>{text('pools.limits')}</h3>
      {limits.length === 0 && <p className="muted">{text('pools.noLimits')}</p>}
      {limits.map(([resource, limit]) => {
        const used = pool.usage[resource] ?? 0;
        return (
          <UsageBar
            key={resource}
            label={resource}
            used={used}
            total={limit}
            text={`${format.amount(resource, used)} / ${format.amount(resource, limit)}`}
          />
        );
      })}
    </div>
  );
}

function PoolBudgets({ pool }: { readonly pool: PagePool }) {
  const { text } = useTranslator();
  return (
    <div>
      <h3>{text('pools.budgets')}</h3>
      {pool.budgets.length === 0 && <p className="muted">{text('pools.noBudgets')}</p>}
      <ul className="budgets">
        {pool.budgets.map((budget, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: budgets have no name, and their order is their identity
          <BudgetItem key={index} budget={budget} />
        ))}
      </ul>
    </div>
  );
}

function BudgetItem({ budget }: { readonly budget: PageBudget }) {
  const { text, format } = useTranslator();
  const { nodes, reasons, schedule, duration = '', isActive, allowed, changesAt } = budget;
  return (
    <li className={isActive ? 'budget' : 'budget is-inactive'}>
      <div>
        <strong>{nodes}</strong>{' '}
        <span className="muted">{reasons.length === 0 ? text('pools.allReasons') : reasons.join(', ')}</span>
        {schedule !== undefined && (
          <div className="muted">{text('pools.schedule', { schedule, duration })}</div>
        )}
      </div>
      <div className="budget-now">
        {isActive && allowed !== undefined
          ? text('pools.budgetNow', { count: format.count(allowed) })
          : text('pools.budgetInactive')}
        {changesAt !== undefined && (
          <div className="muted">{text('pools.budgetNext', { time: format.dateTime(changesAt) })}</div>
        )}
      </div>
    </li>
  );
}
