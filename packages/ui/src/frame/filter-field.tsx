import { useEffect, useRef } from 'react';
import { useAddress, useTranslator } from '../session/index.ts';

/** The filter. Typing anywhere on the page goes here, as in kube-ops-view. */
export function FilterField() {
  const [{ filter }, change] = useAddress();
  const { text } = useTranslator();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (isTyping(event)) input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);
  return (
    <div className="filter">
      <span className="filter-icon" aria-hidden="true" />
      <input
        ref={input}
        type="search"
        value={filter}
        aria-label={text('filter.label')}
        placeholder={text('filter.placeholder')}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => change({ filter: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') change({ filter: '' });
        }}
      />
    </div>
  );
}

/** A letter that no field, button or dialog takes. */
function isTyping({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || key.length !== 1 || key === ' ') return false;
  if (!(target instanceof HTMLElement)) return false;
  return target.closest('input, textarea, select, dialog') === null;
}
