import { Readable } from 'node:stream'
import Type from 'typebox'
import { listAllCollectes } from '../modules/communes/queries.ts'
import { listUpdatedCommunes } from '../modules/communes/reading.ts'
import { CommuneListed, collecteFields } from '../modules/communes/schema.ts'
import { listPublic } from '../modules/defibrillateurs/catalogue.ts'
import { Defibrillateur } from '../modules/defibrillateurs/schema.ts'
import { listUpdated } from '../modules/publications/reading/routes.ts'
import { Publication } from '../modules/publications/schema.ts'
import { isFeatured } from '../modules/publications/stored-lists.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import type { Caller } from '../platform/access/caller.ts'
import { unavailable } from '../platform/errors.ts'
import { type Column, columnsOf, csvWriter } from '../platform/http/listing/csv.ts'
import { oneOf } from '../platform/http/validation/schemas.ts'
import { openToAll } from './feeds.ts'
import { html } from './html.ts'
import { sendPage } from './layout.ts'
import { pathOf } from './rows.ts'
import type { Pages, Site } from './site.ts'
import { t } from './text.ts'

const batchRows = 1_000
/** Further downloads are refused: each reads the database as fast as its client takes it. */
const maxConcurrent = 8
const longestMs = 15 * 60_000
const firstId = '00000000-0000-0000-0000-000000000000'
const uncached = 'it is streamed, and too large to keep'

type Row = { id: string; updated_at?: Date | string }
type Dataset = {
  columns: Column[]
  /** Reads the rows after one, in a fixed order; the first ones after null. */
  read(site: Site, caller: Caller, last: Row | null): Promise<Row[]>
  /** Leaves out rows of a batch, and adds what a reader needs. */
  present?(site: Site, row: Row, caller: Caller): object | null
}

const positionAfter = (last: Row | null) => ({
  at: last?.updated_at === undefined ? '0001-01-01T00:00:00Z' : new Date(last.updated_at).toISOString(),
  id: last?.id ?? firstId,
})

const { status: _s, moderation_status: _m, valide: _v, deleted_at: _d, ...published } = Publication.properties
const publicationColumns = [
  ...columnsOf(Type.Object(published)),
  { name: 'url', read: (row: unknown) => (row as { url: string }).url },
]
const readPublications: Dataset['read'] = (site, caller, last) => {
  const list = { filters: {}, communeIds: restrictionOf(caller), comesFirst: isFeatured }
  return listUpdated(site.lists, list, positionAfter(last), batchRows)
}
const presentPublication = (site: Site, row: Row): object => {
  const { status, moderation_status, valide, deleted_at, ...fields } = row as Publication
  return { ...fields, url: `${site.url}${pathOf(fields)}` }
}
/** What can be downloaded. Each shows what the pages show, under the same restriction. */
const datasets: Record<'communes' | 'publications' | 'agenda' | 'collectes' | 'defibrillateurs', Dataset> = {
  communes: {
    columns: columnsOf(CommuneListed),
    read: (site, _caller, last) => listUpdatedCommunes(site.lists, {}, positionAfter(last), batchRows),
    present: (_site, row, caller) => {
      const communeIds = restrictionOf(caller)
      return communeIds === null || communeIds.includes(row.id) ? row : null
    },
  },
  publications: { columns: publicationColumns, read: readPublications, present: presentPublication },
  agenda: {
    columns: publicationColumns,
    read: readPublications,
    present: (site, row) => ((row as Publication).date_debut === null ? null : presentPublication(site, row)),
  },
  collectes: {
    columns: [
      ...columnsOf(Type.Object({ commune: Type.String(), code_insee: Type.String() })),
      ...columnsOf(Type.Object(collecteFields)),
    ],
    read: (site, caller, last) =>
      listAllCollectes(site.lists, restrictionOf(caller), last?.id ?? firstId, batchRows),
  },
  defibrillateurs: {
    columns: columnsOf(Type.Omit(Defibrillateur, ['ouvert'])),
    read: (site, caller, last) =>
      listPublic(site.lists, restrictionOf(caller), last?.id ?? firstId, batchRows),
    present: (_site, { departement, ...fields }: Row & { departement?: unknown }) => fields,
  },
}
type Name = keyof typeof datasets
const names = Object.keys(datasets) as Name[]
const formats = ['csv', 'json'] as const
type Format = (typeof formats)[number]
const types = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' }

/** The page of the open data, and the files. */
export const dataRoutes: Pages = (scope, site) => {
  let running = 0

  scope.get('/donnees', { config: { shows: [] } }, async (_request, reply) => {
    const body = html`<h1>${t.data.title}</h1>
<p class="lead">${t.data.lead}</p>
<p>${t.data.licence} ${site.settings.licence}</p>
${names.map(
  (name) => html`<section aria-labelledby="${name}"><h2 id="${name}">${t.data.sets[name][0]}</h2>
<p>${t.data.sets[name][1]}</p>
<ul class="links">${formats.map(
    (format) => html`<li><a href="/donnees/${name}.${format}" download>${format.toUpperCase()}</a></li>
`,
  )}</ul></section>
`,
)}
<section aria-labelledby="api"><h2 id="api">${t.data.api}</h2>
<p>${t.data.apiText}</p>
<ul class="links"><li><a href="/docs/openapi.json">OpenAPI</a></li></ul></section>`
    return sendPage(reply, site, { title: t.data.title, description: t.data.lead, path: '/donnees', body })
  })

  scope.get(
    '/donnees/:file',
    {
      config: { uncached, isList: true },
      schema: {
        params: Type.Object({
          file: oneOf(names.flatMap((name) => formats.map((format) => `${name}.${format}` as const))),
        }),
      },
    },
    async ({ params: { file }, caller, method }, reply) => {
      const [name, format] = file.split('.') as [Name, Format]
      const asFile = () =>
        openToAll(reply).type(types[format]).header('content-disposition', `attachment; filename="${file}"`)
      // A stream, though empty: its length is not known, and is not 0.
      if (method === 'HEAD') return asFile().send(Readable.from([]))
      const { columns, present, ...dataset } = datasets[name]
      const read = (last: Row | null) => dataset.read(site, caller, last)
      if (running >= maxConcurrent) throw unavailable('too many downloads are running', 60)
      running++
      // Errors of the first batch are returned before the response begins.
      const first = await read(null).catch((error) => {
        running--
        throw error
      })
      const shownOf = (row: Row) => (present === undefined ? row : present(site, row, caller)) ?? []
      const written = format === 'csv' ? asCsv(columns) : asJson
      const lines = Readable.from(linesOf(first, read, shownOf, written), { objectMode: false })
      const timer = setTimeout(() => lines.destroy(), longestMs)
      lines.once('close', () => {
        clearTimeout(timer)
        running--
      })
      return asFile().send(lines)
    },
  )
}

/** How rows are written: before the first, between batches, and after the last. */
type Written = { head: string; between: string; end: string; rows(rows: object[]): string }

function asCsv(columns: Column[]): Written {
  const { head, rows } = csvWriter(columns, 'fr')
  return { head, between: '', end: '', rows }
}
const asJson: Written = {
  head: '[\n',
  between: ',\n',
  end: '\n]\n',
  rows: (rows) => rows.map((row) => JSON.stringify(row)).join(',\n'),
}

/** Writes the rows batch by batch: no connection is held while the client reads, and memory holds two batches. */
async function* linesOf(
  first: Row[],
  read: (last: Row) => Promise<Row[]>,
  shownOf: (row: Row) => object,
  { head, between, end, rows: write }: Written,
): AsyncGenerator<string> {
  yield head
  let before = ''
  for (let rows = first; rows.length > 0; ) {
    const following = rows.length < batchRows ? null : read(rows.at(-1) as Row)
    // If the client has left, nobody awaits it.
    following?.catch(() => {})
    const shown = rows.flatMap(shownOf)
    if (shown.length > 0) yield before + write(shown)
    if (shown.length > 0) before = between
    rows = (await following) ?? []
  }
  yield end
}
