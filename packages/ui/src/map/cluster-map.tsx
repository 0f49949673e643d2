import { useEffect, useRef, useState } from 'react';
import {
  useAddress,
  useFilter,
  useMediaQuery,
  useSession,
  useTheme,
  useTranslator,
} from '../session/index.ts';
import { findNode, findPod } from '../store/index.ts';
import { announcement } from './announcement.ts';
import { MapLoop } from './map-loop.ts';
import { MapTooltip } from './map-tooltip.tsx';
import type { MapTarget } from './scene/index.ts';
import { selectionOf } from './selected-target.ts';

interface Hovered {
  readonly target: MapTarget;
  readonly x: number;
  readonly y: number;
}

/** The map on its canvases. React renders the frame around it; `MapLoop` draws. */
export function ClusterMap() {
  const frame = useRef<HTMLDivElement>(null);
  const base = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const loop = useRef<MapLoop>(undefined);
  const { store } = useSession();
  const translator = useTranslator();
  const [{ groupBy, selected }, change] = useAddress();
  const filter = useFilter();
  const theme = useTheme();
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)');
  const [height, setHeight] = useState(0);
  const [hovered, setHovered] = useState<Hovered>();
  const [said, setSaid] = useState('');

  useEffect(() => {
    if (frame.current === null || base.current === null || overlay.current === null) return undefined;
    const started = new MapLoop({
      rows: store.rows,
      frame: frame.current,
      base: base.current,
      overlay: overlay.current,
      onHeight: setHeight,
    });
    loop.current = started;
    return () => started.stop();
  }, [store]);

  useEffect(() => loop.current?.setFilter(filter), [filter]);
  useEffect(() => loop.current?.setGrouping(groupBy, !isStill), [groupBy, isStill]);
  useEffect(() => {
    const { text, format } = translator;
    loop.current?.setTexts({
      pending: text('map.pending'),
      noGroup: text('group.without'),
      money: (dollars) => format.money(dollars),
      count: (count) => format.count(count),
      phase: (phase) => text(`nodePhase.${phase}`),
    });
  }, [translator]);
  // The colours are those that the style sheet has for the theme.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme decides what the style sheet says
  useEffect(() => loop.current?.readColours(), [theme]);
  useEffect(() => {
    const node = selected?.kind === 'node' ? findNode(store.rows, selected.name) : undefined;
    const pod = selected?.kind === 'pod' ? findPod(store.rows, selected.name) : undefined;
    loop.current?.select({ ...(node !== undefined && { node }), ...(pod !== undefined && { pod }) });
  }, [selected, store]);

  const open = (target: MapTarget | undefined) => change({ selected: selectionOf(target) });
  return (
    <div
      ref={frame}
      className="map"
      role="application"
      aria-label={translator.text('map.label')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the map is a widget with keys of its own
      tabIndex={0}
      onPointerMove={(event) => {
        const target = loop.current?.hover(event.nativeEvent);
        setHovered(target === undefined ? undefined : { target, x: event.clientX, y: event.clientY });
      }}
      onPointerLeave={() => {
        loop.current?.hover(undefined);
        setHovered(undefined);
      }}
      onClick={(event) => open(loop.current?.hover(event.nativeEvent))}
      onKeyDown={(event) => {
        const step = loop.current?.press(event.key);
        if (step === undefined) return;
        event.preventDefault();
        if (step.isOpened) open(step.target);
        setSaid(announcement(step.target, store.rows, translator));
      }}
    >
      <div className="map-canvases">
        <canvas ref={base} className="map-canvas" />
        <canvas ref={overlay} className="map-canvas" />
      </div>
      <div className="map-spacer" style={{ height }} />
      <div className="visually-hidden" aria-live="polite">
        {said}
      </div>
      {hovered !== undefined && <MapTooltip {...hovered} />}
    </div>
  );
}
