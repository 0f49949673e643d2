import type { PagePool } from '@karpenter/core/page-api';
import { ExplanationView } from '../explanation/index.ts';
import { useTranslator } from '../session/index.ts';

export function PoolDetails({ pool }: { readonly pool: PagePool }) {
  const { text } = useTranslator();
  return (
    <>
      <p className="kind">{text('field.nodePool')}</p>
      <h2 className="details-title">{pool.name}</h2>
      {pool.message !== undefined && <p className="pod-message">{pool.message}</p>}
      <ExplanationView object={{ kind: 'nodepool', name: pool.name }} />
    </>
  );
}
