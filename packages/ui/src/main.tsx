import { pagePaths } from '@karpenter/core/page-api';
import { createRoot } from 'react-dom/client';
import { ClusterStream } from './connection/index.ts';
import { Page, PageBoundary } from './frame/index.ts';
import { AddressBar, SessionContext } from './session/index.ts';
import { ClusterStore } from './store/index.ts';

/** Figures that change more often cannot be read. The map has frames of its own. */
const renderEveryMs = 250;

const store = new ClusterStore((flush) => setTimeout(flush, renderEveryMs));
const stream = new ClusterStream({
  store,
  open: () => new EventSource(pagePaths.stream),
  timers: {
    now: () => Date.now(),
    after(delayMs, run) {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
  },
});
const session = { store, stream, bar: new AddressBar(window) };
stream.start();
setInterval(() => store.sampleCost(Date.now() + store.clockOffset), 2_000);

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <SessionContext value={session}>
      <PageBoundary>
        <Page />
      </PageBoundary>
    </SessionContext>,
  );
