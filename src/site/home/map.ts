import { departements } from '../../modules/communes/departements.ts'
import { html, type Markup } from '../html.ts'
import { t } from '../text.ts'
import outlines from './departements.json' with { type: 'json' }

const paths: Readonly<Record<string, string>> = outlines.paths

/** France by département, as links. What the map does not show, and whoever does not see it, has the list. */
export const mapOfFrance = (): Markup => html`<nav class="map" aria-label="${t.home.map}">
<a class="skip" href="#liste">${t.home.skipMap}</a>
<svg viewBox="0 0 ${outlines.width} ${outlines.height}" width="${outlines.width}" height="${outlines.height}">
${departements.map(({ code, nom }) => {
  const path = paths[code]
  return (
    path !== undefined &&
    html`<a href="/communes?departement=${code}" aria-label="${nom} (${code})"><title>${nom} (${code})</title><path d="${path}"/></a>
`
  )
})}</svg>
<p class="meta">${t.home.mapSource}</p></nav>`
