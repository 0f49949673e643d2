import { useEffect, useSyncExternalStore } from 'react';
import { useAddress, useServerTime, useStore, useTranslator } from '../session/index.ts';
import { demoChoice } from './demo-choices.ts';
import { advanceTour, startOf, TourStore } from './demo-progress.ts';
import { type DemoMoment, type DemoStep, demoSteps } from './demo-steps.ts';
import { useDemoAction } from './use-demo-action.ts';

const tour = new TourStore(sessionStorage);

/** The tour: what to do next and what to watch. It goes on by itself when the thing has happened. */
export function TourCard() {
  const state = useSyncExternalStore(tour.subscribe, () => tour.state);
  const moment = useMoment();
  useEffect(() => {
    if (tour.state !== undefined) tour.set(advanceTour(tour.state, moment));
  });
  const { text } = useTranslator();
  if (state === undefined)
    return (
      <section className="tour">
        <h2>{text('demo.title')}</h2>
        <p className="muted">{text('demo.intro')}</p>
        <button
          type="button"
          className="button button-main"
          onClick={() => tour.set({ step: 0, start: startOf(moment) })}
        >
          {text('demo.start')}
        </button>
      </section>
    );
  const step = demoSteps[state.step];
  return (
    <section className="tour" aria-live="polite">
      {step === undefined ? (
        <TourEnd moment={moment} />
      ) : (
        <TourStep step={step} index={state.step} moment={moment} />
      )}
    </section>
  );
}

/** On the other tabs, the tour stays in a corner. */
export function FloatingTour() {
  const [{ tab, isWall }] = useAddress();
  const { hello } = useStore('connection');
  const state = useSyncExternalStore(tour.subscribe, () => tour.state);
  if (hello?.demo === undefined || state === undefined || tab === 'demo' || isWall) return null;
  return (
    <div className="floating-tour">
      <TourCard />
    </div>
  );
}

function useMoment(): DemoMoment {
  const { rows } = useStore('rows');
  const { decisions } = useStore('decisions');
  const [{ tab, selected }] = useAddress();
  const at = useServerTime();
  return {
    at,
    tab,
    isSelected: selected?.kind === 'pod' || selected?.kind === 'node',
    pendingPods: rows.phases.count('pending') + rows.phases.count('starting'),
    runningPods: rows.phases.count('running'),
    nodes: rows.nodes.size,
    decisions,
  };
}

function TourEnd({ moment }: { readonly moment: DemoMoment }) {
  const { text } = useTranslator();
  return (
    <>
      <h2>{text('demo.done')}</h2>
      <p>{text('demo.finished')}</p>
      <div className="tour-buttons">
        <button type="button" className="button" onClick={() => tour.set(undefined)}>
          {text('details.close')}
        </button>
        <button type="button" className="link" onClick={() => tour.set({ step: 0, start: startOf(moment) })}>
          {text('demo.restart')}
        </button>
      </div>
    </>
  );
}

interface TourStepProps {
  readonly step: DemoStep;
  readonly index: number;
  readonly moment: DemoMoment;
}

function TourStep({ step, index, moment }: TourStepProps) {
  const { text } = useTranslator();
  return (
    <>
      <p className="kind">{text('demo.step', { step: index + 1, steps: demoSteps.length })}</p>
      <progress
        className="tour-progress"
        max={demoSteps.length}
        value={index}
        aria-label={text('demo.title')}
      />
      <h2>{text(`demo.step.${step}.title`)}</h2>
      <p>{text(`demo.step.${step}.text`)}</p>
      <div className="tour-buttons">
        <StepButton step={step} />
        <button
          type="button"
          className="link"
          onClick={() => tour.set({ step: index + 1, start: startOf(moment) })}
        >
          {text('demo.skip')}
        </button>
      </div>
    </>
  );
}

function StepButton({ step }: { readonly step: DemoStep }) {
  const { rows } = useStore('rows');
  const { hello } = useStore('connection');
  const [, change] = useAddress();
  const { text } = useTranslator();
  const { run, isRunning, message } = useDemoAction();
  const choice = hello?.demo === undefined ? undefined : demoChoice(step, hello.demo, rows);
  if (choice === undefined || step === 'open') return null;
  return (
    <>
      <button
        type="button"
        className="button button-main"
        disabled={isRunning}
        onClick={() => (step === 'cost' ? change({ tab: 'cost' }) : run(choice.actions))}
      >
        {text(`demo.step.${step}.action`, choice.values)}
      </button>
      {message !== undefined && (
        <p className={message.isProblem ? 'problem tour-message' : 'muted tour-message'}>{message.text}</p>
      )}
    </>
  );
}
