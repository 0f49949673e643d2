import type { DemoFacts } from '@karpenter/core/page-api';
import { useId, useState } from 'react';
import { useStore, useTranslator } from '../session/index.ts';
import { interruptible, replicasOf } from './demo-choices.ts';
import { useDemoAction } from './use-demo-action.ts';

/** Everything that the simulated cloud and the sample workloads can be made to do. */
export function DemoControls({ facts }: { readonly facts: DemoFacts }) {
  const { text } = useTranslator();
  const { run, isRunning, message } = useDemoAction();
  const props = { facts, run, isRunning };
  return (
    <section className="controls" aria-label={text('demo.controls')}>
      <h2>{text('demo.controls')}</h2>
      <p className={message?.isProblem === true ? 'problem' : 'muted'} role="status">
        {message?.text}
      </p>
      <ScaleControls {...props} />
      <SpotControls {...props} />
      <InterruptControl {...props} />
      <FailBootsControl {...props} />
    </section>
  );
}

interface ControlProps extends Pick<ReturnType<typeof useDemoAction>, 'run' | 'isRunning'> {
  readonly facts: DemoFacts;
}

function ScaleControls({ facts, run, isRunning }: ControlProps) {
  const { rows } = useStore('rows');
  const { text, format } = useTranslator();
  return (
    <fieldset disabled={isRunning}>
      <legend>{text('demo.scale')}</legend>
      {facts.deployments.map(({ name }) => {
        const replicas = replicasOf(rows, name);
        const scale = (to: number) => run([{ action: 'scale', deployment: name, replicas: Math.max(0, to) }]);
        return (
          <div key={name} className="stepper">
            <span>{name}</span>
            <button type="button" aria-label={`${name} −10`} onClick={() => scale(replicas - 10)}>
              −10
            </button>
            <output aria-label={text('demo.replicas', { name })}>{format.count(replicas)}</output>
            <button type="button" aria-label={`${name} +10`} onClick={() => scale(replicas + 10)}>
              +10
            </button>
          </div>
        );
      })}
    </fieldset>
  );
}

function SpotControls({ facts, run, isRunning }: ControlProps) {
  const { text } = useTranslator();
  const [zone, setZone] = useState(facts.zones[0] ?? '');
  return (
    <fieldset disabled={isRunning}>
      <legend>{text('demo.spot')}</legend>
      <select aria-label={text('demo.zone')} value={zone} onChange={(event) => setZone(event.target.value)}>
        {facts.zones.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
      <div className="button-row">
        <button type="button" className="button" onClick={() => run([{ action: 'removeSpot', zone }])}>
          {text('demo.removeSpot', { zone })}
        </button>
        <button type="button" className="button" onClick={() => run([{ action: 'restoreSpot', zone }])}>
          {text('demo.restoreSpot', { zone })}
        </button>
      </div>
    </fieldset>
  );
}

function InterruptControl({ run, isRunning }: ControlProps) {
  const { rows } = useStore('rows');
  const { text } = useTranslator();
  const nodes = interruptible(rows);
  const [chosen, setChosen] = useState('');
  const node = nodes.some(({ name }) => name === chosen) ? chosen : (nodes[0]?.name ?? '');
  return (
    <fieldset disabled={isRunning || node === ''}>
      <legend>{text('demo.interrupt')}</legend>
      <div className="button-row">
        <select
          aria-label={text('field.node')}
          value={node}
          onChange={(event) => setChosen(event.target.value)}
        >
          {nodes.map(({ id, name, capacityType }) => (
            <option key={id} value={name}>
              {name} {capacityType === 'spot' ? '(spot)' : ''}
            </option>
          ))}
        </select>
        <button type="button" className="button" onClick={() => run([{ action: 'interrupt', node }])}>
          {text('demo.interruptAction')}
        </button>
      </div>
    </fieldset>
  );
}

function FailBootsControl({ run, isRunning }: ControlProps) {
  const { text } = useTranslator();
  const id = useId();
  const [isFailing, setIsFailing] = useState(false);
  return (
    <div className="check">
      <input
        id={id}
        type="checkbox"
        disabled={isRunning}
        checked={isFailing}
        onChange={(event) => {
          setIsFailing(event.target.checked);
          run([{ action: 'failBoots', isFailing: event.target.checked }]);
        }}
      />
      <label htmlFor={id}>{text('demo.failBoots')}</label>
    </div>
  );
}
