import { useAddress, useStore } from '../session/index.ts';
import { DemoControls } from './demo-controls.tsx';
import { TourCard } from './tour-card.tsx';

/** The tour and the controls, beside the map. */
export function DemoTab() {
  const { hello } = useStore('connection');
  const [{ selected }] = useAddress();
  if (hello?.demo === undefined) return null;
  return (
    <div className={selected === undefined ? 'demo' : 'demo is-below'}>
      <TourCard />
      <DemoControls facts={hello.demo} />
    </div>
  );
}
