/** Cuts texts to the width there is. Measuring is slow, so widths are remembered. */
export class TextFitter {
  readonly smallFont: string;
  readonly titleFont: string;
  readonly #context: CanvasRenderingContext2D;
  readonly #widths = new Map<string, number>();

  constructor(context: CanvasRenderingContext2D, family: string) {
    this.#context = context;
    this.smallFont = `500 10px ${family}`;
    this.titleFont = `600 12px ${family}`;
  }

  width(text: string): number {
    const known = this.#widths.get(text);
    if (known !== undefined) return known;
    this.#context.font = this.smallFont;
    const { width } = this.#context.measureText(text);
    this.#widths.set(text, width);
    return width;
  }

  fit(text: string, room: number): string {
    if (this.width(text) <= room) return text;
    const perLetter = this.width(text) / text.length;
    const letters = Math.max(0, Math.floor(room / perLetter) - 1);
    return letters < 2 ? '' : `${text.slice(0, letters)}…`;
  }
}
