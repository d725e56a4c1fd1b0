import { departements } from '../modules/communes/departements.ts'
import type { CommuneListed } from '../modules/communes/schema.ts'
import { html, type Markup } from './html.ts'
import { t } from './text.ts'

/** Links to a page for each département. */
export const byDepartement = (
  path: string,
): Markup => html`<section aria-labelledby="toutes"><h2 id="toutes">${t.communes.byDepartement}</h2>
${namesOf(departements.map(departementLink(path)))}</section>`

export const departementLink =
  (path: string) =>
  ({ code, nom }: { code: string; nom: string }) =>
    html`<a href="${path}?departement=${code}">${nom}</a> <span class="soft">${code}</span>`

/** The names of communes, each with a link. */
export const communeNames = (communes: readonly CommuneListed[]) =>
  namesOf(communes.map(({ slug, nom }) => html`<a href="/communes/${slug}">${nom}</a>`))

/** Many names, in columns. */
export const namesOf = (names: Markup[]): Markup => html`<ul class="names">
${names.map(
  (name) => html`<li>${name}</li>
`,
)}</ul>`
