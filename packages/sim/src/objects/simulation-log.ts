/** Called with errors that will be retried. In normal operation nothing is logged. */
export type SimulationLog = (message: string, details: Readonly<Record<string, unknown>>) => void;

export const silent: SimulationLog = () => undefined;
