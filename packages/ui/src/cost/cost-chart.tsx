import { useEffect, useMemo, useRef } from 'react';
import uPlot from 'uplot';
import { useStore, useTheme, useTranslator } from '../session/index.ts';
import { pastFromDecisions } from '../store/index.ts';
import { chartOptions } from './chart-options.ts';
import { type ChartGrouping, type StackedSeries, stackedSeries } from './stacked-series.ts';

const chartHeight = 320;

/** Dollars per hour over time, stacked. */
export function CostChart({ grouping }: { readonly grouping: ChartGrouping }) {
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const series = useCostSeries(grouping);
  const latest = useRef(series);
  latest.current = series;
  const translator = useTranslator();
  const theme = useTheme();
  const shape = series.names.join('\n');
  // The chart is made again only when its lines, its texts or its colours change.
  // biome-ignore lint/correctness/useExhaustiveDependencies: theme and shape decide what the options are made of
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const options = chartOptions({ element, series: latest.current, translator, height: chartHeight });
    const made = new uPlot(options, dataOf(latest.current), element);
    chart.current = made;
    const resizes = new ResizeObserver(() =>
      made.setSize({ width: element.clientWidth, height: chartHeight }),
    );
    resizes.observe(element);
    return () => {
      resizes.disconnect();
      made.destroy();
    };
  }, [shape, theme, translator]);
  useEffect(() => chart.current?.setData(dataOf(series)), [series]);
  return <div ref={frame} className="chart" role="img" aria-label={translator.text('cost.chart')} />;
}

function useCostSeries(grouping: ChartGrouping): StackedSeries {
  const store = useStore('history');
  const { samples } = store.history;
  const { decisions } = store;
  const count = samples.length;
  const last = samples.at(-1)?.at;
  // biome-ignore lint/correctness/useExhaustiveDependencies: samples are added in place
  return useMemo(() => {
    const [first] = samples;
    const past = first === undefined ? [] : pastFromDecisions(first, decisions);
    return stackedSeries([...past, ...samples], grouping);
  }, [count, last, decisions, grouping]);
}

/** The tallest stack first, so that lower ones are drawn over it. */
function dataOf({ times, stacks, onDemand }: StackedSeries): uPlot.AlignedData {
  const columns = [times, ...stacks.toReversed(), onDemand];
  return columns.map((column) => [...column]) as uPlot.AlignedData;
}
