import { useTranslator } from '../session/index.ts';
import { podName } from '../store/index.ts';
import { scarcerShare } from './layout/index.ts';
import type { MapTarget } from './scene/index.ts';

interface TooltipProps {
  readonly target: MapTarget;
  readonly x: number;
  readonly y: number;
}

const room = 260;

/** The essentials of what is under the pointer. */
export function MapTooltip({ target, x, y }: TooltipProps) {
  const lines = useTooltipLines(target);
  const isRight = x > innerWidth - room - 20;
  const isLow = y > innerHeight - 130;
  return (
    <div
      className="tooltip"
      role="presentation"
      style={{
        left: isRight ? undefined : x + 14,
        right: isRight ? innerWidth - x + 14 : undefined,
        top: isLow ? undefined : y + 14,
        bottom: isLow ? innerHeight - y + 14 : undefined,
      }}
    >
      {lines.map((line, index) => (
        <div key={line} className={index === 0 ? 'tooltip-title' : 'tooltip-line'}>
          {line}
        </div>
      ))}
    </div>
  );
}

function useTooltipLines({ node, pod }: MapTarget): readonly string[] {
  const { text, format } = useTranslator();
  if (pod !== undefined) {
    const { cpu = 0, memory = 0 } = pod.requests;
    return [
      podName(pod),
      `${text(`phase.${pod.phase}`)} · ${pod.workload.kind} ${pod.workload.name}`,
      `${format.cores(cpu)} CPU · ${format.bytes(memory)}`,
      ...(pod.message === undefined ? [] : [pod.message]),
    ];
  }
  if (node === undefined) return [];
  const place = [node.instanceType, node.capacityType, node.zone].filter((part) => part !== undefined);
  const used = format.percent(scarcerShare(node.requested, node.allocatable));
  return [
    node.name,
    place.join(' · '),
    `${text(`nodePhase.${node.phase}`)} · ${used}${node.price === undefined ? '' : ` · ${format.money(node.price.hourly)}/h`}`,
    ...(node.keptReason === undefined ? [] : [node.keptReason]),
  ].filter((line) => line !== '');
}
