import { html, type Markup } from '../html.ts'
import { type Drawing, edgeOf, horizonOf, shieldOf } from './horizon.ts'
import type { Land } from './relief.ts'

/** The horizon of a commune, above its name or on a card. */
export const horizon = (land: Land): Markup => svg('horizon', horizonOf(land))

/** The edge of the foot of its pages. */
export const edge = (land: Land): Markup => svg('edge', edgeOf(land))

/** A shield in place of arms. */
export const shield = (land: Land): Markup => svg('arms', shieldOf(land))

/** An ornament: it says nothing to whoever cannot see it, and grows without gaps at its sides. */
const svg = (name: string, { width, height, shapes }: Drawing): Markup =>
  html`<svg class="${name}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMidYMax slice" aria-hidden="true" focusable="false">${shapes.map(({ kind, path }) => html`<path class="${kind}" d="${path}"/>`)}</svg>`
