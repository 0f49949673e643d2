import { useAddress, useTranslator } from '../session/index.ts';
import { FilterField } from './filter-field.tsx';
import { GroupingField } from './grouping-field.tsx';

/** Filter, grouping and form of the map. */
export function MapToolbar({ onWhatIf }: { readonly onWhatIf: () => void }) {
  const [{ form }, change] = useAddress();
  const { text } = useTranslator();
  return (
    <div className="toolbar">
      <FilterField />
      <GroupingField />
      <fieldset className="segments" aria-label={text('form.label')}>
        {(['map', 'list'] as const).map((choice) => (
          <button
            key={choice}
            type="button"
            aria-pressed={form === choice}
            onClick={() => change({ form: choice })}
          >
            {text(`form.${choice}`)}
          </button>
        ))}
      </fieldset>
      <button type="button" className="button" onClick={onWhatIf}>
        {text('whatIf.open')}
      </button>
    </div>
  );
}
