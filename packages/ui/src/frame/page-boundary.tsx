import { Component, type ReactNode } from 'react';
import { useTranslator } from '../session/index.ts';

interface BoundaryProps {
  readonly children: ReactNode;
}

/** Shows a sentence instead of an empty page if a part of it fails. */
export class PageBoundary extends Component<BoundaryProps, { readonly message?: string }> {
  static getDerivedStateFromError(error: unknown) {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override state: { readonly message?: string } = {};

  override render(): ReactNode {
    const { message } = this.state;
    return message === undefined ? this.props.children : <FailedPage message={message} />;
  }
}

function FailedPage({ message }: { readonly message: string }) {
  const { text } = useTranslator();
  return (
    <main className="empty" role="alert">
      <p className="empty-title">{text('error.page', { message })}</p>
      <button type="button" className="button" onClick={() => location.reload()}>
        {text('error.reload')}
      </button>
    </main>
  );
}
