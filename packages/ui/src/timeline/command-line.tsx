import { useState } from 'react';
import { useTranslator } from '../session/index.ts';

interface CommandLineProps {
  readonly label: string;
  readonly command: string;
}

/** A command to copy into a terminal. */
export function CommandLine({ label, command }: CommandLineProps) {
  const { text } = useTranslator();
  const [isCopied, setIsCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(command).then(
      () => setIsCopied(true),
      // Without permission the text is still there to be selected.
      () => setIsCopied(false),
    );
  return (
    <div className="command">
      <span className="muted">{label}</span>
      <code>{command}</code>
      <button type="button" className="link" onClick={() => void copy()}>
        {text(isCopied ? 'timeline.copied' : 'timeline.copy')}
      </button>
    </div>
  );
}
