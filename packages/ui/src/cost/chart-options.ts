import type uPlot from 'uplot';
import type { Translator } from '../language/index.ts';
import { capacityName } from './group-names.ts';
import type { StackedSeries } from './stacked-series.ts';

interface ChartParts {
  readonly element: Element;
  readonly series: StackedSeries;
  readonly translator: Translator;
  readonly height: number;
}

/** How many colours the style sheet has for lines. */
const lineColours = 8;

export function chartOptions({ element, series, translator, height }: ChartParts): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const { format, text } = translator;
  const axis = {
    stroke: colour('muted'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { stroke: colour('line'), width: 1 },
    font: `11px ${style.fontFamily}`,
  };
  const names = series.names.toReversed();
  return {
    width: element.clientWidth,
    height,
    padding: [16, 16, 0, 0],
    legend: { live: false },
    cursor: { points: { show: false } },
    scales: { y: { range: (_, __, max) => [0, Math.max(0.01, max * 1.12)] } },
    axes: [
      { ...axis, values: (_, splits) => splits.map((at) => format.clock(at * 1000)), space: 110 },
      {
        ...axis,
        values: (_, splits) => splits.map((dollars) => format.moneyLike(dollars, splits.at(-1) ?? 0)),
        size: 76,
      },
    ],
    series: [
      {},
      ...names.map((name, index) => {
        const line = colour(`line-${(names.length - 1 - index) % lineColours}`);
        return {
          label: capacityName(translator, name),
          stroke: line,
          fill: `${line}55`,
          width: 1.5,
          points: { show: false },
        };
      }),
      {
        label: text('cost.onDemand'),
        stroke: colour('muted'),
        width: 1.5,
        dash: [6, 5],
        points: { show: false },
      },
    ],
  };
}
