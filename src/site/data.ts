import Type from 'typebox'
import { restrictionOf } from '../modules/publications/visibility.ts'
import type { Caller } from '../platform/access/caller.ts'
import { csvWriter } from '../platform/http/listing/csv.ts'
import { oneOf } from '../platform/http/validation/schemas.ts'
import { fieldTexts } from './data-fields.ts'
import { type Dataset, datasets, type Name, type Row } from './datasets.ts'
import { openToAll } from './feeds.ts'
import type { Batches } from './finished-files.ts'
import { html } from './html.ts'
import { sendPage } from './layout.ts'
import type { Pages, Site } from './site.ts'
import { fileSize, momentInWords, t } from './text.ts'

/** The event loop is busy for some milliseconds with each batch. */
const batchRows = 500
const sets = Object.entries(datasets) as [Name, Dataset][]
const formats = ['csv', 'json', 'geojson'] as const
type Format = (typeof formats)[number]
const types = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  geojson: 'application/geo+json; charset=utf-8',
}
const formatsOf = ({ placeOf }: Dataset): Format[] =>
  formats.filter((format) => format !== 'geojson' || placeOf !== undefined)
const files = sets.flatMap(([name, set]) => formatsOf(set).map((format) => `${name}.${format}` as const))
const keyOf = ({ url }: Site, file: string, caller: Caller) =>
  `${url} ${file} ${JSON.stringify(restrictionOf(caller))}`

/** The page of the open data, and the files. */
export const dataRoutes: Pages = (scope) => {
  const uncached = 'it says when the files were written'
  scope.get('/donnees', { config: { caching: { never: uncached } } }, async ({ caller, site }, reply) => {
    const body = html`<h1>${t.data.title}</h1>
<p class="lead">${t.data.lead}</p>
<p>${t.data.formats}</p>
${sets.map(([name, set]) => sectionOf(site, caller, name, set))}
<section aria-labelledby="api"><h2 id="api">${t.data.api}</h2>
<p>${t.data.apiText}</p>
<ul class="links"><li><a href="${site.service}/docs/openapi.json">OpenAPI</a></li></ul></section>`
    return sendPage(reply, site, { title: t.data.title, description: t.data.lead, path: '/donnees', body })
  })

  scope.get(
    '/donnees/:file',
    {
      config: { caching: { never: 'its finished files are kept' }, load: 'file' },
      schema: { params: Type.Object({ file: oneOf(files) }) },
    },
    async (request, reply) => {
      const { params, caller, site } = request
      const [name, format] = params.file.split('.') as [Name, Format]
      openToAll(reply)
        .type(types[format])
        .header('content-disposition', `attachment; filename="${params.file}"`)
      const batches = batchesOf(site, caller, datasets[name], format)
      return site.finished.send(request, reply, keyOf(site, params.file, caller), batches)
    },
  )
}

function batchesOf(site: Site, caller: Caller, set: Dataset, format: Format): Batches {
  const read = (last: Row | null) => set.read(site, caller, last, batchRows)
  const shownOf = (row: Row) => (set.present === undefined ? row : set.present(site, row, caller)) ?? []
  return () => linesOf(read, shownOf, writtenAs[format](set))
}

/** Says of when each file is, and its size: a file that was never written is written now. */
function sectionOf(site: Site, caller: Caller, name: Name, set: Dataset) {
  const [title, about] = t.data.sets[name]
  const links = formatsOf(set).map((format) => {
    const file = `${name}.${format}`
    const built = site.finished.lastBuilt(keyOf(site, file, caller), batchesOf(site, caller, set, format))
    const state =
      built === null ? t.data.beingBuilt : t.data.built(momentInWords(built.at), fileSize(built.textBytes))
    return html`<li><a href="/donnees/${file}" download>${t.data.formatNames[format]}</a> <span class="meta">${state}</span></li>
`
  })
  return html`<section aria-labelledby="${name}"><h2 id="${name}">${title}</h2>
<p>${about}</p>
<ul class="links">${links}</ul>
<p class="meta">${t.data.licence} ${site.settings.licence}</p>
<details><summary>${t.data.fields(title)}</summary>
<dl>${set.columns.map(
    (column) => html`<dt><code>${column.name}</code></dt><dd>${fieldTexts[column.name] ?? ''}</dd>
`,
  )}</dl></details></section>
`
}

/** How rows are written: before the first, between batches, and after the last. */
type Written = { head: string; between: string; end: string; rows(rows: object[]): string }

/** With commas and decimal points, as the tools of open data expect. */
const asCsv = ({ columns }: Dataset): Written => ({ ...csvWriter(columns, 'en'), between: '', end: '' })
const asJson = (): Written => ({
  ...{ head: '[\n', between: ',\n', end: '\n]\n' },
  rows: (rows) => rows.map((row) => JSON.stringify(row)).join(',\n'),
})
const asGeoJson = ({ placeOf }: Dataset): Written => ({
  ...{ head: '{"type":"FeatureCollection","features":[\n', between: ',\n', end: '\n]}\n' },
  rows: (rows) => rows.flatMap((row) => featureOf(row as Row, placeOf?.(row) ?? null)).join(',\n'),
})
const writtenAs = { csv: asCsv, json: asJson, geojson: asGeoJson }

/** Rows without a place are left out. */
function featureOf(row: Row, place: ReturnType<NonNullable<Dataset['placeOf']>>): string[] {
  if (place === null || place.latitude === null || place.longitude === null) return []
  const geometry = { type: 'Point', coordinates: [place.longitude, place.latitude] }
  return [JSON.stringify({ type: 'Feature', id: row.id, geometry, properties: row })]
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
    const text = write(rows.flatMap(shownOf))
    if (text !== '') {
      yield before + text
      before = between
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchRows) break
    rows = await read(last)
  }
  yield end
}
