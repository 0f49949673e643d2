interface UsageBarProps {
  readonly label: string;
  readonly used: number;
  readonly total: number;
  readonly text: string;
}

/** How much of something is used; red beyond its end. */
export function UsageBar({ label, used, total, text }: UsageBarProps) {
  const share = total > 0 ? used / total : 0;
  return (
    <div className="usage">
      <div className="usage-text">
        <span>{label}</span>
        <span className="muted">{text}</span>
      </div>
      <meter
        className={share > 1 ? 'meter meter-over' : 'meter'}
        min={0}
        max={1}
        value={Math.min(1, share)}
        aria-label={`${label}: ${text}`}
      />
    </div>
  );
}
