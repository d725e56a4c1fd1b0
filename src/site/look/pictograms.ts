import { html, type Markup } from '../html.ts'

/** Lines on a square of 24, beside a word that says the same. */
const paths = {
  home: 'M4 11 12 4l8 7v9h-5v-6H9v6H4z',
  bin: 'M5 8h14l-1 12H7L6 8M4 8h16M9 5h6v3',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  news: 'M5 4h14v16H5zM8 8h8M8 12h8M8 16h5',
  more: 'M4 7h16M4 12h16M4 17h16',
  find: 'M5 11a6 6 0 1 0 12 0 6 6 0 1 0-12 0M20 20l-4.5-4.5',
  townHall: 'M3 20h18M5 20V10M9.5 20V10M14.5 20V10M19 20V10M3 10l9-6 9 6z',
  people:
    'M5.5 8a3.5 3.5 0 1 0 7 0 3.5 3.5 0 1 0-7 0M3 20a6 6 0 0 1 12 0M16 5a3.5 3.5 0 0 1 0 6.500M18 14.500a6 6 0 0 1 3 5.5',
  paper: 'M6 3h9l4 4v14H6zM9 12h7M9 16h7',
  shop: 'M4 10v10h16V10M3 10l2-6h14l2 6zM9 20v-6h6v6',
  heart:
    'M12 20S3 14.5 3 8.800A4.6 4.6 0 0 1 12 7a4.6 4.6 0 0 1 9 1.800C21 14.5 12 20 12 20zM12 9l-2 4h4l-2 4',
  card: 'M3 5h18v14H3zM7 16a3 3 0 0 1 6 0M15 10h3M15 14h3M8 10.500a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  warning: 'M12 3 2 20h20zM12 10v4M12 17v.2',
  information: 'M3 12a9 9 0 1 0 18 0 9 9 0 1 0-18 0M12 11v6M12 7.500v.2',
  next: 'm9 5 7 7-7 7',
  phone: 'M6 3h4l1 5-2.5 1.500a12 12 0 0 0 6 6L16 13l5 1v4a3 3 0 0 1-3 3A15 15 0 0 1 3 6a3 3 0 0 1 3-3z',
  mail: 'M3 6h18v12H3zM3 7l9 6 9-6',
  place:
    'M12 21s7-6.2 7-11.500A7 7 0 0 0 5 9.500C5 14.8 12 21 12 21zM9.7 9.500a2.3 2.3 0 1 0 4.6 0 2.3 2.3 0 1 0-4.6 0',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l1.5 2h-15zM10 21h4',
} as const
export type Pictogram = keyof typeof paths

export const pictogram = (name: Pictogram): Markup =>
  html`<svg class="i" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${paths[name]}"/></svg>`

/** A bin in its colour: its name stands beside it. */
export const binDrawing = (color: string): Markup =>
  html`<svg class="bin ${color}" viewBox="0 0 48 56" aria-hidden="true" focusable="false"><path class="body" d="M9 17h30l-3.5 33a3 3 0 0 1-3 2.700h-17a3 3 0 0 1-3-2.700z"/><path class="wheels" d="M13 48h5v7h-5zM30 48h5v7h-5z"/><path class="lid" d="M6 12.5 9 7.500q1-1.5 3-1.500h24q2 0 3 1.500l3 5v5H6zM18 27h12v13H18z"/></svg>`
