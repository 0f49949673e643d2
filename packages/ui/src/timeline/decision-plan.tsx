import type { Decision, DisruptionDecision, PlanDecision, PlannedNodeFacts } from '@karpenter/core/decisions';
import { useEffect, useState } from 'react';
import { serverRequests } from '../connection/index.ts';
import { useTranslator } from '../session/index.ts';
import { CommandLine } from './command-line.tsx';
import { PlanSection } from './plan-section.tsx';

/** A decision down to its plan. The stream may shorten plans, so the full one is fetched. */
export function DecisionPlan({ decision }: { readonly decision: Decision }) {
  const { full, replayCommand, problem } = useDecisionDetail(decision);
  const { text } = useTranslator();
  return (
    <div className="plan">
      {problem !== undefined && <p className="problem">{problem}</p>}
      <PlanBody decision={full} />
      {replayCommand !== undefined && <CommandLine label={text('timeline.replay')} command={replayCommand} />}
      {!full.isReplayable && isPlanned(full) && <p className="muted">{text('timeline.notReplayable')}</p>}
    </div>
  );
}

/** Launches, refusals and notices are not planned, so there is nothing to plan again. */
const isPlanned = ({ kind }: Decision): boolean => kind === 'plan' || kind === 'disruption';

function useDecisionDetail(decision: Decision) {
  const [full, setFull] = useState(decision);
  const [replayCommand, setReplayCommand] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const abort = new AbortController();
    serverRequests
      .decision(decision.id, abort.signal)
      .then((detail) => {
        setFull(detail.decision);
        setReplayCommand(detail.replayCommand);
      })
      .catch((error: Error) => {
        if (!abort.signal.aborted) setProblem(error.message);
      });
    return () => abort.abort();
  }, [decision.id]);
  return { full, replayCommand, problem };
}

function PlanBody({ decision }: { readonly decision: Decision }) {
  if (decision.kind === 'plan') return <ProvisioningPlan plan={decision} />;
  if (decision.kind === 'disruption') return <DisruptionPlan disruption={decision} />;
  if (decision.kind === 'launch') return <LaunchFacts launch={decision} />;
  return <ReasonFacts decision={decision} />;
}

function ProvisioningPlan({ plan }: { readonly plan: PlanDecision }) {
  const { text, format } = useTranslator();
  return (
    <>
      <p className="muted">
        {text('timeline.took')} {format.count(Math.round(plan.durationMs))} ms
      </p>
      <NewNodes title={text('timeline.newNodes')} nodes={plan.newNodes} />
      <PlanSection title={text('timeline.placements')} count={plan.placements.length}>
        {plan.placements.map(({ node, pods }) => (
          <li key={node}>
            <strong>{node}</strong> <PodNames pods={pods} />
          </li>
        ))}
      </PlanSection>
      <PlanSection title={text('timeline.rejected')} count={plan.rejected.length}>
        {plan.rejected.map(({ pod, message }) => (
          <li key={pod}>
            <strong>{pod}</strong> <span className="problem">{message}</span>
          </li>
        ))}
      </PlanSection>
    </>
  );
}

function NewNodes({ title, nodes }: { readonly title: string; readonly nodes: readonly PlannedNodeFacts[] }) {
  const { text, format } = useTranslator();
  return (
    <PlanSection title={title} count={nodes.length}>
      {nodes.map((node, index) => (
        <li key={node.nodeClaim ?? index} className="planned-node">
          <div className="planned-head">
            <strong>{node.nodeClaim ?? `${node.nodePool} (${text('timeline.notCreated')})`}</strong>
            <span>{format.money(node.hourly)}/h</span>
          </div>
          <div className="tags">
            {[...node.capacityTypes, ...node.zones, ...node.instanceTypes].map((tag) => (
              <span key={tag} className="tag">
                {tag}
              </span>
            ))}
            {node.typeCount > node.instanceTypes.length && (
              <span className="muted">
                {text('timeline.moreTypes', {
                  count: format.count(node.typeCount - node.instanceTypes.length),
                })}
              </span>
            )}
          </div>
          <PodNames pods={node.pods} />
        </li>
      ))}
    </PlanSection>
  );
}

const shownPods = 12;

function PodNames({ pods }: { readonly pods: readonly string[] }) {
  const { text, format } = useTranslator();
  return (
    <span className="pod-names">
      {pods.slice(0, shownPods).join(', ')}
      {pods.length > shownPods && (
        <details>
          <summary>{text('timeline.morePods', { count: format.count(pods.length - shownPods) })}</summary>
          {pods.slice(shownPods).join(', ')}
        </details>
      )}
    </span>
  );
}

function DisruptionPlan({ disruption }: { readonly disruption: DisruptionDecision }) {
  const { text, format } = useTranslator();
  const { reason, consolidationType, savings, movedPods, nodes, replacements } = disruption;
  return (
    <>
      <dl className="plan-facts">
        <PlanFact
          label={text('timeline.reason')}
          value={[reason, consolidationType].filter(Boolean).join(' · ')}
        />
        <PlanFact label={text('timeline.moved')} value={format.count(movedPods)} />
        {savings !== undefined && (
          <PlanFact label={text('timeline.savings')} value={`${format.money(savings)}/h`} />
        )}
      </dl>
      <PlanSection title={text('timeline.nodes')} count={nodes.length}>
        {nodes.map(({ node, instanceType, zone, capacityType, hourly, pods }) => (
          <li key={node} className="planned-node">
            <div className="planned-head">
              <strong>{node}</strong>
              <span>{hourly === undefined ? '' : `${format.money(hourly)}/h`}</span>
            </div>
            <div className="tags">
              {[instanceType, capacityType, zone].map((tag) =>
                tag === undefined ? null : (
                  <span key={tag} className="tag">
                    {tag}
                  </span>
                ),
              )}
              <span className="muted">
                {text('field.pods')}: {format.count(pods)}
              </span>
            </div>
          </li>
        ))}
      </PlanSection>
      <NewNodes title={text('timeline.replacements')} nodes={replacements} />
    </>
  );
}

function LaunchFacts({ launch }: { readonly launch: Extract<Decision, { kind: 'launch' }> }) {
  const { text, format } = useTranslator();
  return (
    <dl className="plan-facts">
      <PlanFact label={text('field.nodeClaim')} value={launch.nodeClaim} />
      <PlanFact label={text('field.nodePool')} value={launch.nodePool} />
      <PlanFact label={text('field.type')} value={launch.instanceType} />
      <PlanFact label={text('field.capacityType')} value={launch.capacityType} />
      <PlanFact label={text('field.zone')} value={launch.zone} />
      <PlanFact
        label={text('field.price')}
        value={launch.hourly === undefined ? undefined : `${format.money(launch.hourly)}/h`}
      />
      <PlanFact label={text('timeline.failed')} value={launch.failure} />
    </dl>
  );
}

function ReasonFacts({ decision }: { readonly decision: Extract<Decision, { kind: 'refusal' | 'notice' }> }) {
  const { text } = useTranslator();
  const { kind, namespace, name } = decision.object;
  return (
    <dl className="plan-facts">
      <PlanFact
        label={text('timeline.object')}
        value={`${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`}
      />
      <PlanFact label={text('timeline.reason')} value={decision.reason} />
      <PlanFact label={text('field.message')} value={decision.message} />
    </dl>
  );
}

function PlanFact({ label, value }: { readonly label: string; readonly value: string | undefined }) {
  if (value === undefined || value === '') return null;
  return (
    <div className="fact">
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
