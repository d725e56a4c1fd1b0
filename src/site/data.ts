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
import { type Column, columnsOf, csvWriter } from '../platform/http/listing/csv.ts'
import { oneOf } from '../platform/http/validation/schemas.ts'
import { openToAll } from './feeds.ts'
import { html } from './html.ts'
import { sendPage } from './layout.ts'
import { pathOf } from './rows.ts'
import type { Pages, Site } from './site.ts'
import { t } from './text.ts'

/** The event loop is busy for some milliseconds with each batch. */
const batchRows = 500
const firstId = '00000000-0000-0000-0000-000000000000'
const uncached = 'its finished files are kept'

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
      config: { uncached, isList: true, isFile: true },
      schema: {
        params: Type.Object({
          file: oneOf(names.flatMap((name) => formats.map((format) => `${name}.${format}` as const))),
        }),
      },
    },
    async (request, reply) => {
      const { params, caller } = request
      const [name, format] = params.file.split('.') as [Name, Format]
      const { columns, present, ...dataset } = datasets[name]
      const read = (last: Row | null) => dataset.read(site, caller, last)
      const shownOf = (row: Row) => (present === undefined ? row : present(site, row, caller)) ?? []
      const written = format === 'csv' ? asCsv(columns) : asJson
      openToAll(reply)
        .type(types[format])
        .header('content-disposition', `attachment; filename="${params.file}"`)
      const key = `${params.file} ${JSON.stringify(restrictionOf(caller))}`
      return site.finished.send(request, reply, key, () => linesOf(read, shownOf, written))
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

/** Writes the rows batch by batch: no connection is held between them. */
async function* linesOf(
  read: (last: Row | null) => Promise<Row[]>,
  shownOf: (row: Row) => object,
  { head, between, end, rows: write }: Written,
): AsyncGenerator<string> {
  // Before the head: its failure is then a response of its own.
  let rows = await read(null)
  yield head
  for (let before = ''; ; ) {
    const shown = rows.flatMap(shownOf)
    if (shown.length > 0) {
      yield before + write(shown)
      before = between
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchRows) break
    rows = await read(last)
  }
  yield end
}
