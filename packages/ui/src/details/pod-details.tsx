import type { PagePod } from '@karpenter/core/page-api';
import { ExplanationView } from '../explanation/index.ts';
import { useAddress, useServerTime, useTranslator } from '../session/index.ts';
import { podName } from '../store/index.ts';
import { FactList, type LabelledFact } from './fact-list.tsx';
import { LabelList } from './label-list.tsx';

export function PodDetails({ pod }: { readonly pod: PagePod }) {
  const { text } = useTranslator();
  return (
    <>
      <p className="kind">
        <span className={`swatch swatch-${pod.phase}`} aria-hidden="true" /> {text(`phase.${pod.phase}`)}
      </p>
      <h2 className="details-title">{podName(pod)}</h2>
      {pod.message !== undefined && <p className="pod-message">{pod.message}</p>}
      <ExplanationView object={{ kind: 'pod', namespace: pod.namespace, name: pod.name }} />
      <FactList facts={usePodFacts(pod)} />
      <LabelList labels={pod.labels} />
    </>
  );
}

function usePodFacts(pod: PagePod): readonly LabelledFact[] {
  const { text, format } = useTranslator();
  const now = useServerTime();
  const { cpu = 0, memory = 0 } = pod.requests;
  return [
    {
      label: text('field.node'),
      value: pod.nodeName === undefined ? undefined : <NodeLink name={pod.nodeName} />,
    },
    { label: text('field.workload'), value: `${pod.workload.kind} ${pod.workload.name}` },
    { label: text('field.cpu'), value: format.cores(cpu) },
    { label: text('field.memory'), value: format.bytes(memory) },
    { label: text('field.age'), value: format.duration(now - pod.createdAt) },
    { label: text('field.restarts'), value: pod.restarts === 0 ? undefined : format.count(pod.restarts) },
    { label: text('field.protected'), value: useProtection(pod) },
  ];
}

/** JSON has no infinity: protection without an end arrives as null. */
function useProtection({ protectedUntil }: PagePod): string | undefined {
  const { text, format } = useTranslator();
  if (protectedUntil === undefined) return undefined;
  return protectedUntil === null || !Number.isFinite(protectedUntil)
    ? text('field.protectedAlways')
    : text('field.protectedUntil', { time: format.dateTime(protectedUntil) });
}

function NodeLink({ name }: { readonly name: string }) {
  const [, change] = useAddress();
  return (
    <button type="button" className="link" onClick={() => change({ selected: { kind: 'node', name } })}>
      {name}
    </button>
  );
}
