import { useLayoutEffect } from 'react';
import type { PageTab } from '../address/index.ts';
import { CostTab } from '../cost/index.ts';
import { DemoTab, FloatingTour } from '../demo/index.ts';
import { PoolsTab } from '../pools/index.ts';
import { useAddress, useStore, useTheme, useTranslator } from '../session/index.ts';
import { TimelineTab } from '../timeline/index.ts';
import { Banners } from './banners.tsx';
import { MapTab } from './map-tab.tsx';
import { Tabs } from './tabs.tsx';
import { TopBar } from './top-bar.tsx';

/** The page: a bar with the figures, tabs, and what the chosen tab shows. */
export function Page() {
  const [{ isWall }] = useAddress();
  const { hello } = useStore('connection');
  const theme = useTheme();
  const { language } = useTranslator();
  // Before the effects of the parts, which read colours of the theme from the style sheet.
  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    document.documentElement.lang = language;
    document.title = hello === undefined ? 'Karpenter' : `${hello.cluster} · Karpenter`;
  }, [theme, language, hello]);
  return (
    <div className={isWall ? 'page wall' : 'page'}>
      <TopBar />
      {!isWall && <Tabs />}
      <main className="content">
        <Banners />
        <Shown />
      </main>
      <FloatingTour />
    </div>
  );
}

function Shown() {
  const [{ tab, isWall }] = useAddress();
  const { hello } = useStore('connection');
  return tabContents[isWall || (tab === 'demo' && hello?.demo === undefined) ? 'map' : tab]();
}

const tabContents: Readonly<Record<PageTab, () => React.ReactNode>> = {
  map: () => <MapTab />,
  timeline: () => <TimelineTab />,
  cost: () => <CostTab />,
  nodepools: () => <PoolsTab />,
  demo: () => <MapTab side={<DemoTab />} />,
};
