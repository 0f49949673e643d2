import type { PageNode } from '@karpenter/core/page-api';
import { ExplanationView } from '../explanation/index.ts';
import { useAddress, useServerTime, useStore, useTranslator } from '../session/index.ts';
import { podName } from '../store/index.ts';
import { FactList, type LabelledFact } from './fact-list.tsx';
import { LabelList } from './label-list.tsx';
import { UsageBar } from './usage-bar.tsx';

interface NodeDetailsProps {
  readonly node: PageNode;
  readonly onWhatIf: (node: string) => void;
}

export function NodeDetails({ node, onWhatIf }: NodeDetailsProps) {
  const { text } = useTranslator();
  const facts = useNodeFacts(node);
  return (
    <>
      <p className="kind">{text('field.node')}</p>
      <h2 className="details-title">{node.name}</h2>
      <Usage node={node} />
      <FactList facts={facts} />
      <ExplanationView
        object={
          node.nodeName === undefined
            ? { kind: 'nodeclaim', name: node.nodeClaim ?? node.name }
            : { kind: 'node', name: node.nodeName }
        }
      />
      {node.nodeName !== undefined && (
        <button type="button" className="button" onClick={() => onWhatIf(node.name)}>
          {text('details.whatIfRemove')}
        </button>
      )}
      <PodsOfNode node={node} />
      <LabelList labels={node.labels} />
    </>
  );
}

function Usage({ node }: { readonly node: PageNode }) {
  const { text, format } = useTranslator();
  return (['cpu', 'memory', 'pods'] as const).map((resource) => {
    const [used, total] = [node.requested[resource] ?? 0, node.allocatable[resource] ?? 0];
    return (
      <UsageBar
        key={resource}
        label={text(`field.${resource}`)}
        used={used}
        total={total}
        text={`${format.amount(resource, used)} / ${format.amount(resource, total)}`}
      />
    );
  });
}

function useNodeFacts(node: PageNode): readonly LabelledFact[] {
  const { text, format } = useTranslator();
  const now = useServerTime();
  const { price, phase, capacityType } = node;
  const estimated = price?.isEstimated === true ? ` (${text('field.estimated')})` : '';
  return [
    { label: text('field.state'), value: `${text(`nodePhase.${phase}`)}` },
    { label: text('field.nodePool'), value: node.nodePool },
    { label: text('field.type'), value: node.instanceType },
    { label: text('field.capacityType'), value: capacityType },
    { label: text('field.zone'), value: node.zone },
    {
      label: text('field.price'),
      value:
        price === undefined
          ? text('field.unknownPrice')
          : `${format.money(price.hourly)} ${text('top.hourly')}${estimated}`,
    },
    {
      label: text('field.onDemandPrice'),
      value:
        capacityType === 'spot' && price?.onDemand !== undefined ? format.money(price.onDemand) : undefined,
    },
    { label: text('field.age'), value: format.duration(now - node.createdAt) },
    { label: text('field.nodeClaim'), value: node.nodeClaim },
    { label: text('field.cordoned'), value: node.isCordoned ? text('field.yes') : undefined },
    { label: text('field.protected'), value: node.isProtected ? text('field.protectedAlways') : undefined },
    { label: text('field.kept'), value: node.keptReason },
  ];
}

function PodsOfNode({ node }: { readonly node: PageNode }) {
  const { rows } = useStore('rows');
  const { text, format } = useTranslator();
  const [, change] = useAddress();
  const pods = [...rows.podsOf(node)].sort((a, b) => (podName(a) < podName(b) ? -1 : 1));
  return (
    <details className="labels" open={pods.length <= 12}>
      <summary>
        {text('details.podsOfNode')} <span className="muted">{format.count(pods.length)}</span>
      </summary>
      <ul className="pod-list">
        {pods.map((pod) => (
          <li key={pod.uid}>
            <span
              className={`swatch swatch-${pod.phase}`}
              role="img"
              aria-label={text(`phase.${pod.phase}`)}
            />
            <button
              type="button"
              className="link"
              onClick={() => change({ selected: { kind: 'pod', name: podName(pod) } })}
            >
              {podName(pod)}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
