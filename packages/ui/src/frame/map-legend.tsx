import { useStore, useTranslator } from '../session/index.ts';
import { podPhases } from '../store/index.ts';

/** What colours and shapes mean, with the number of pods of each. */
export function MapLegend() {
  const { rows } = useStore('rows');
  const { text, format } = useTranslator();
  return (
    <section className="legend" aria-label={text('map.legend')}>
      <ul>
        {podPhases.map((phase) => (
          <li key={phase}>
            <span className={`swatch swatch-${phase}`} aria-hidden="true" />
            {text(`phase.${phase}`)} <strong>{format.count(rows.phases.count(phase))}</strong>
          </li>
        ))}
        <li>
          <span className="swatch swatch-daemon" aria-hidden="true" />
          {text('phase.daemon')}
        </li>
        {(['on-demand', 'spot', 'reserved'] as const).map((capacityType) => (
          <li key={capacityType}>
            <span className={`band band-${capacityType}`} aria-hidden="true" />
            {text(`capacity.${capacityType}`)}
          </li>
        ))}
      </ul>
    </section>
  );
}
