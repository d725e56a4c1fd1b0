import Type, { type Static } from 'typebox'
import { restrictionOf } from '../modules/publications/visibility.ts'
import {
  type CommuneFigure,
  type Delay,
  type Figure,
  type FigureName,
  listFiguresByCommune,
  listYears,
  readDelay,
  readFigures,
  type Scope,
} from '../modules/transparency/figures.ts'
import { csvWriter } from '../platform/http/listing/csv.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { pageOfCommune } from './commune-pages.ts'
import { openToAll } from './feeds.ts'
import { html, type Markup } from './html.ts'
import { sendPage } from './layout.ts'
import { definitions } from './rows.ts'
import type { Pages, SiteBase } from './site.ts'
import { t } from './text.ts'

/** Smaller numbers could tell who is meant. */
const leastShown = 5
const communesPerBatch = 200
const shows = ['moderation_facts', 'communes']
const Query = Type.Object({ annee: Type.Optional(Type.Integer({ minimum: 2000, maximum: 2999 })) })
type Asked = Static<typeof Query>

/** What was reported, decided and objected to, by year: on the platform, in a commune, and as a file. */
export const transparencyPages: Pages = (scope, site) => {
  scope.get(
    '/transparence',
    { config: { caching: { shows } }, schema: { querystring: Query } },
    async ({ query, caller, site }, reply) => {
      const { title, description } = t.transparency
      const communes = { communeIds: restrictionOf(caller) }
      const { year, body } = await numbersOf(site, '/transparence', query, communes)
      const file = `/transparence.csv${year === null ? '' : `?annee=${year}`}`
      return sendPage(reply, site, {
        ...{ title, description, path: '/transparence' },
        body: html`<h1>${title}</h1>
<p class="lead">${description}</p>
${body}
<p><a class="more" href="${file}" download>${t.transparency.file}</a></p>`,
      })
    },
  )

  pageOfCommune(scope, site, { sub: '/transparence', shows, query: Query }, async (commune, query) => {
    const title = t.transparency.of(commune.nom)
    const path = `/communes/${commune.slug}/transparence`
    const { body } = await numbersOf(site, path, query, { communeId: commune.id, communeIds: null })
    return {
      ...{ title, description: t.transparency.description, path },
      body: html`<h1>${title}</h1>
<p class="lead">${t.transparency.description}</p>
${body}
<p><a class="more" href="/transparence">${t.transparency.all}</a></p>`,
    }
  })

  scope.get(
    '/transparence.csv',
    {
      config: { caching: { never: 'its finished files are kept' }, load: 'file' },
      schema: { querystring: Query },
    },
    async (request, reply) => {
      const { caller } = request
      const year = request.query.annee ?? Number(todayInParis(site.clock()).slice(0, 4))
      const asked = { year, communeIds: restrictionOf(caller) }
      openToAll(reply)
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="transparence-${year}.csv"`)
      const key = `transparence.csv ${JSON.stringify(asked)}`
      return site.finished.send(request, reply, key, () => linesOf(site, asked))
    },
  )
}

/** Returns the numbers of the year that was asked for, else of the last one that has some. */
async function numbersOf(
  { reads }: SiteBase,
  path: string,
  { annee }: Asked,
  communes: Omit<Scope, 'year'>,
): Promise<{ year: number | null; body: Markup }> {
  const years = await listYears(reads, communes)
  const year = annee ?? years[0] ?? null
  if (year === null) return { year, body: html`<p class="empty">${t.transparency.none}</p>` }
  const asked = { ...communes, year }
  const [figures, delay] = await Promise.all([readFigures(reads, asked), readDelay(reads, asked)])
  const body = html`${yearLinks(path, years, year)}
${figures.length === 0 ? html`<p class="empty">${t.transparency.noneIn(year)}</p>` : html`${parts.map((names) => partOf(names, figures, delay))}<p class="soft">${t.transparency.small(leastShown)} ${t.transparency.daily}</p>`}`
  return { year, body }
}

const yearLinks = (
  path: string,
  years: readonly number[],
  year: number,
) => html`<nav aria-label="${t.transparency.years}"><ul class="links">
${years.map(
  (
    one,
  ) => html`<li><a href="${path}?annee=${one}"${one === year && html` aria-current="page"`}>${one}</a></li>
`,
)}</ul></nav>`

/** The parts of the page, and the figures of each. */
const parts = [
  ['reports', 'outcomes'],
  ['grounds', 'restrictions', 'by_report', 'by_machine'],
  ['complaints'],
] as const

function partOf(
  [name, ...others]: (typeof parts)[number],
  figures: readonly Figure[],
  delay: Delay,
): Markup | false {
  const lists = [name, ...others].map((one) => listOf(one, figures)).filter(Boolean)
  if (lists.length === 0) return false
  return html`<section aria-labelledby="${name}"><h2 id="${name}">${t.transparency.parts[name]}</h2>
${name === 'reports' && delayOf(delay)}${lists}</section>
`
}

function listOf(name: FigureName, figures: readonly Figure[]): Markup | false {
  const shown = figures.filter(({ figure }) => figure === name)
  return (
    shown.length > 0 &&
    html`<h3>${t.transparency.figures[name]}</h3>
${definitions(shown.map((one) => [labelOf(one), html`${countOf(one.count)}`]))}
`
  )
}

/** The hours between the first report and the decision. */
const delayOf = ({ count, median, p95 }: Delay): Markup | false =>
  count >= leastShown &&
  html`<p>${t.transparency.delay(inWords(median), inWords(p95), inWords(count))}</p>
`

const labelOf = ({ figure, value, label }: Figure): string =>
  label ?? (t.transparency.values[figure] as Record<string, string>)[value] ?? value
const countOf = (count: number): string =>
  count < leastShown ? t.transparency.few(leastShown) : inWords(count)

const inWords = (figure: number): string => figure.toLocaleString('fr', { maximumFractionDigits: 1 })

type Line = Omit<Figure, 'count'> & { year: number; nom: string; code_insee: string; count: string }
const columns = (['year', 'nom', 'code_insee', 'figure', 'value', 'label', 'count'] as const).map((key) => ({
  name: t.transparency.columns[key],
  read: (row: unknown) => (row as Line)[key],
}))

/** Yields the numbers of all communes together, then those of each. */
async function* linesOf({ reads }: SiteBase, asked: Scope): AsyncGenerator<string> {
  const { head, rows } = csvWriter(columns, 'en')
  const lineOf = (one: Figure & Partial<CommuneFigure>): Line => ({
    ...{ year: asked.year, nom: one.nom ?? '', code_insee: one.code_insee ?? '' },
    ...{ figure: one.figure, value: one.value, label: labelOf(one) },
    count: one.count < leastShown ? t.transparency.few(leastShown) : `${one.count}`,
  })
  yield head + rows((await readFigures(reads, asked)).map(lineOf))
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const part = await listFiguresByCommune(reads, asked, after, communesPerBatch)
    const last = part.at(-1)
    if (last === undefined) return
    yield rows(part.map(lineOf))
    after = last.id
  }
}
