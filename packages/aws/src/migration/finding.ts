/** Whether a setting has an equivalent: an exact one, a similar one, none, or none is needed. */
export type FindingVerdict = 'mapped' | 'approximate' | 'unmapped' | 'not-needed';

/** The result of mapping one setting of the old setup. */
export interface MigrationFinding {
  /** The owner of the setting: `group workers`, `Cluster Autoscaler`, `Pod default/web-0`. */
  readonly subject: string;
  /** The setting as the user wrote it: `maxSize: 5`, `--expander=priority`. */
  readonly setting: string;
  readonly verdict: FindingVerdict;
  /** The field or object that replaces it, or why there is none and what to do. */
  readonly outcome: string;
}

/** Collects the findings of one subject. */
export class FindingList {
  readonly list: MigrationFinding[] = [];
  readonly #subject: string;

  constructor(subject: string) {
    this.#subject = subject;
  }

  mapped(setting: string, outcome: string): void {
    this.#add(setting, 'mapped', outcome);
  }

  approximate(setting: string, outcome: string): void {
    this.#add(setting, 'approximate', outcome);
  }

  unmapped(setting: string, outcome: string): void {
    this.#add(setting, 'unmapped', outcome);
  }

  notNeeded(setting: string, outcome: string): void {
    this.#add(setting, 'not-needed', outcome);
  }

  #add(setting: string, verdict: FindingVerdict, outcome: string): void {
    this.list.push({ subject: this.#subject, setting, verdict, outcome });
  }
}
