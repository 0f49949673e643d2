import type { PodPhaseName } from '../../store/index.ts';

/** The colours of the map, from the style sheet, so that themes are defined in one place. */
export interface MapColours {
  readonly surface: string;
  /** Behind the nodes of a group. */
  readonly groupFill: string;
  readonly track: string;
  readonly line: string;
  readonly ink: string;
  readonly muted: string;
  readonly accent: string;
  readonly daemon: string;
  readonly warning: string;
  readonly phases: Readonly<Record<PodPhaseName, string>>;
  readonly capacityTypes: Readonly<Record<string, string>>;
}

export function readColours(element: Element): MapColours {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    surface: colour('surface'),
    groupFill: colour('group'),
    track: colour('track'),
    line: colour('line-strong'),
    ink: colour('ink'),
    muted: colour('muted'),
    accent: colour('accent'),
    daemon: colour('pod-daemon'),
    warning: colour('pod-failing'),
    phases: {
      running: colour('pod-running'),
      starting: colour('pod-starting'),
      pending: colour('pod-pending'),
      failing: colour('pod-failing'),
      terminating: colour('pod-terminating'),
      succeeded: colour('pod-succeeded'),
    },
    capacityTypes: {
      spot: colour('capacity-spot'),
      'on-demand': colour('capacity-on-demand'),
      reserved: colour('capacity-reserved'),
      fargate: colour('capacity-fargate'),
    },
  };
}
