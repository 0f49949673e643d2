interface EmptyStateProps {
  readonly title: string;
  readonly hint: string;
  readonly isBusy?: boolean;
}

/** Why there is nothing to see, and what to do about it. */
export function EmptyState({ title, hint, isBusy = false }: EmptyStateProps) {
  return (
    <div className="empty" aria-busy={isBusy}>
      <span className={isBusy ? 'empty-mark empty-busy' : 'empty-mark'} aria-hidden="true" />
      <p className="empty-title">{title}</p>
      <p className="empty-hint">{hint}</p>
    </div>
  );
}
