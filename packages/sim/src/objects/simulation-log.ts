/** Called with what went wrong and will be tried again; nothing here is for people in the usual course of things. */
export type SimulationLog = (message: string, details: Readonly<Record<string, unknown>>) => void;

export const silent: SimulationLog = () => undefined;
