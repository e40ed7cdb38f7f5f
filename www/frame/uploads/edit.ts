/** What a person changed about a photo: quarter turns, and the part of it that is kept. */

/** A part of a photo. Its sides are fractions of the photo's width and height, from the left and from the top. */
export interface Part {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The turns come first: the part is one of the turned photo. */
export interface Edit {
  /** Quarter turns clockwise, 0 to 3. */
  turns: number;
  part: Part;
}

export const WHOLE: Part = { left: 0, top: 0, right: 1, bottom: 1 };
export const UNEDITED: Edit = { turns: 0, part: WHOLE };

export function turn({ turns, part }: Edit): Edit {
  const { left, top, right, bottom } = part;
  return { turns: (turns + 1) % 4, part: { left: 1 - bottom, top: left, right: 1 - top, bottom: right } };
}

/** Keeps a part of what is kept already. */
export function crop({ turns, part }: Edit, kept: Part): Edit {
  const width = part.right - part.left;
  const height = part.bottom - part.top;
  const across = (at: number): number => part.left + at * width;
  const down = (at: number): number => part.top + at * height;
  return { turns, part: { left: across(kept.left), top: down(kept.top), right: across(kept.right), bottom: down(kept.bottom) } };
}
