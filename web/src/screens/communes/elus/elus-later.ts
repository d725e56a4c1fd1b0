import { later } from '../../../shell/later.tsx'

/** The list of élus, whose dragging is larger than all the rest of a commune's screens: it loads after them. */
export const Elus = later(async () => (await import('./elus.tsx')).Elus, { waits: true })

/** What a screen of a commune loads once it is drawn. */
export const communeParts = [Elus]
