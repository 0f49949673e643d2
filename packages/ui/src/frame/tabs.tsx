import { pageTabs } from '../address/index.ts';
import { useAddress, useStore, useTranslator } from '../session/index.ts';

/** The sections of the page; the demo exists in `dev` only. */
export function Tabs() {
  const [address, change] = useAddress();
  const { text } = useTranslator();
  const { hello } = useStore('connection');
  const shown = pageTabs.filter((tab) => tab !== 'demo' || hello?.demo !== undefined);
  return (
    <nav className="tabs" aria-label={text('tabs.label')}>
      {shown.map((tab) => (
        <button
          key={tab}
          type="button"
          className="tab"
          aria-current={address.tab === tab ? 'page' : undefined}
          onClick={() => change({ tab })}
        >
          <span className={`tab-icon tab-icon-${tab}`} aria-hidden="true" />
          {text(`tab.${tab}`)}
        </button>
      ))}
    </nav>
  );
}
