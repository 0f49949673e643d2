/** In CSS pixels, or in shares of another rectangle. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function isInside({ x, y, width, height }: Rectangle, px: number, py: number): boolean {
  return px >= x && py >= y && px < x + width && py < y + height;
}

/** A rectangle that is given in shares of `outer`. */
export function within(outer: Rectangle, share: Rectangle): Rectangle {
  return {
    x: outer.x + share.x * outer.width,
    y: outer.y + share.y * outer.height,
    width: share.width * outer.width,
    height: share.height * outer.height,
  };
}

/** Between two rectangles; at 0 the first, at 1 the second. */
export function between(a: Rectangle, b: Rectangle, share: number): Rectangle {
  const mix = (from: number, to: number) => from + (to - from) * share;
  return {
    x: mix(a.x, b.x),
    y: mix(a.y, b.y),
    width: mix(a.width, b.width),
    height: mix(a.height, b.height),
  };
}
