// What the page calls the kinds of records.
import { areas } from '../loadAreas.mts';

const titles = new Map(areas.flatMap(({ kinds }) => Object.entries(kinds)));

/** @returns undefined for a kind that no area keeps */
export const titleOfKind = (kind: string): string | undefined => titles.get(kind);
