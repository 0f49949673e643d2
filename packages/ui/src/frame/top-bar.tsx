import { useAddress, useStore, useTheme, useTranslator } from '../session/index.ts';
import { spotShare } from '../store/index.ts';
import { LiveMark } from './live-mark.tsx';

/** The cluster and its figures. */
export function TopBar() {
  const { hello } = useStore('connection');
  return (
    <header className="top">
      <div className="brand">
        <span className="brand-mark" aria-hidden="true" />
        <h1 className="brand-name">{hello?.cluster ?? 'Karpenter'}</h1>
        <LiveMark />
      </div>
      <Figures />
      <TopControls />
    </header>
  );
}

function Figures() {
  const { rows, cost } = useStore('rows');
  const { text, format } = useTranslator();
  const pending = rows.phases.count('pending');
  return (
    <dl className="figures">
      <Figure label={text('top.hourly')} value={format.money(cost.hourly)} isStrong />
      <Figure label={text('top.nodes')} value={format.count(rows.nodes.size)} />
      <Figure label={text('top.pods')} value={format.count(rows.phases.live)} />
      <Figure label={text('top.pending')} value={format.count(pending)} isWarning={pending > 0} />
      <Figure label={text('top.spot')} value={format.percent(spotShare(cost))} />
    </dl>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly isStrong?: boolean;
  readonly isWarning?: boolean;
}

function Figure({ label, value, isStrong = false, isWarning = false }: FigureProps) {
  return (
    <div className={`figure${isStrong ? ' figure-strong' : ''}${isWarning ? ' figure-warning' : ''}`}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function TopControls() {
  const [{ isWall }, change] = useAddress();
  const { text, language } = useTranslator();
  const theme = useTheme();
  const wall = text(isWall ? 'top.leaveWall' : 'top.wall');
  return (
    <div className="top-controls">
      <button
        type="button"
        className="icon-button"
        lang={language === 'en' ? 'ko' : 'en'}
        aria-label={text('top.language')}
        title={text('top.language')}
        onClick={() => change({ language: language === 'en' ? 'ko' : 'en' })}
      >
        {language === 'en' ? '한' : 'EN'}
      </button>
      <button
        type="button"
        className="icon-button icon-theme"
        aria-label={text('top.theme')}
        title={text('top.theme')}
        onClick={() => change({ theme: theme === 'dark' ? 'light' : 'dark' })}
      />
      <button
        type="button"
        className="icon-button icon-wall"
        aria-label={wall}
        title={wall}
        onClick={() => change({ isWall: !isWall })}
      />
    </div>
  );
}
