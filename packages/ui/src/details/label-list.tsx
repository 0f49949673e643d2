import { useTranslator } from '../session/index.ts';

export function LabelList({ labels }: { readonly labels: Readonly<Record<string, string>> }) {
  const { text, format } = useTranslator();
  const entries = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return null;
  return (
    <details className="labels">
      <summary>
        {text('field.labels')} <span className="muted">{format.count(entries.length)}</span>
      </summary>
      <ul>
        {entries.map(([key, value]) => (
          <li key={key}>
            <code>
              {key}={value}
            </code>
          </li>
        ))}
      </ul>
    </details>
  );
}
