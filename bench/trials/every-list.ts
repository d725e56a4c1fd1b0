import { signToken } from '../../src/platform/access/tokens.ts'
import type { Databases } from '../databases.ts'
import { median, ms, verdictOf } from '../measure.ts'
import type { Row } from '../report.ts'
import { secret, startService } from '../service.ts'
import { wordOf } from '../words.ts'
import { lookAround } from '../world.ts'
import { type Extremes, makeExtremes, member } from '../worst-data.ts'

const most = 100
const shown = 20

type Parameter = { name: string; in: string; schema: Schema }
type Schema = { type?: string; enum?: string[]; items?: Schema; anyOf?: Schema[]; $ref?: string }
type Document = { paths: Record<string, { get?: { parameters?: (Parameter | { $ref: string })[] } }> }
type Asked = { path: string; ms: number; status: number }

/**
 * Reads each list of the document with each value of each filter and each sort, one client, on 300 000 publications of which a few
 * records have far more than their share: no state of the data, no filter and no sort makes a list slow.
 */
export async function everyList(
  databases: Databases,
  say: (text: string) => void,
  count: number,
): Promise<Row[]> {
  const filled = await databases.copy(count)
  const { port, stop } = await startService({ name: 'lists', database: filled.database })
  const extremes = await makeExtremes(filled.database, filled.landmarks)
  const { token, typeId, day } = await lookAround(filled)
  const tokens = {
    admin: token,
    member: await signToken(secret, member.email, member.email, 86_400, new Date()),
  }
  const url = `http://127.0.0.1:${port}`
  const document = (await (await fetch(`${url}/docs/openapi.json`)).json()) as Document
  const asked: Asked[] = []
  const left = new Set<string>()
  for (const { path, parameters } of listsOf(document)) {
    const place = pathOf(path, extremes)
    if (place === null) {
      left.add(path)
      continue
    }
    for (const query of queriesOf(parameters, { ...extremes, typeId, day }, left))
      asked.push(await ask(url, `${place}${query}`, tokens))
  }
  await stop()
  return [rowOf(asked, [...left], say)]
}

function rowOf(asked: Asked[], left: string[], say: (text: string) => void): Row {
  const slowest = asked.toSorted((a, b) => b.ms - a.ms)
  const slow = asked.filter((one) => one.ms > most)
  const refused = asked.filter(({ status }) => status >= 500)
  for (const { path, ms: took, status } of [...refused, ...slowest.slice(0, shown)])
    say(`  ${ms(took)} ${status} ${decodeURIComponent(path)}`)
  if (left.length > 0) say(`  not read: ${left.join(', ')}`)
  const impossible = asked.filter(({ status }) => status >= 400 && status < 500)
  return {
    scenario: 'every filter with every sort of every list, on the worst data',
    measured: `${asked.length} read; ${slow.length} above ${most} ms, ${refused.length} refused; the slowest ${ms(slowest[0]?.ms ?? 0)}`,
    target: `p50 ≤ ${most} ms, none refused`,
    verdict: verdictOf(slow.length === 0 && refused.length === 0),
    notes: [`${impossible.length} of them exclude each other, or find nothing that may be read`],
    figures: {
      read: asked.length,
      slow: slow.length,
      refused: refused.length,
      slowest_ms: slowest[0]?.ms ?? 0,
    },
  }
}

/** Returns the median of three requests after a first one, which plans and reads from disk. */
async function ask(url: string, path: string, tokens: { admin: string; member: string }): Promise<Asked> {
  const isAdmin = path.includes('/admin/')
  const headers = {
    'x-app-source': isAdmin ? 'backoffice' : 'mairie',
    authorization: `Bearer ${isAdmin ? tokens.admin : tokens.member}`,
    // Evades the cache.
    'content-length': '0',
  }
  const times: number[] = []
  let status = 0
  for (let turn = 0; turn < 4; turn++) {
    const since = performance.now()
    const response = await fetch(`${url}${path}`, { headers })
    await response.arrayBuffer()
    if (turn > 0) times.push(performance.now() - since)
    status = Math.max(status, response.status)
    if (status >= 400) break
  }
  return { path, ms: median(times), status }
}

function* listsOf(document: Document): Generator<{ path: string; parameters: Parameter[] }> {
  const schemaOf = (schema: Schema): Schema => {
    const found = resolve(document, schema) as Schema
    return found.items === undefined ? found : { ...found, items: schemaOf(found.items) }
  }
  for (const [path, { get }] of Object.entries(document.paths)) {
    const parameters = (get?.parameters ?? []).map((one) => resolve(document, one) as Parameter)
    const inQuery = parameters.filter((one) => one.in === 'query')
    if (inQuery.some(({ name }) => name === 'per_page'))
      yield { path, parameters: inQuery.map((one) => ({ ...one, schema: schemaOf(one.schema) })) }
  }
}

function resolve(document: object, value: object): object {
  if (!('$ref' in value)) return value
  const keys = String(value.$ref).slice(2).split('/')
  const found = keys.reduce((at, key) => (at as Record<string, object>)[key] as object, document)
  return resolve(document, found)
}

/** Returns the path of a list of the record with most rows; null without one. */
function pathOf(path: string, { bigCommune, bigActeur, source, run, reported }: Extremes): string | null {
  const ids: [pattern: RegExp, id: string][] = [
    [/\{communeId\}|(?<=\/admin\/communes\/)\{id\}/, bigCommune],
    [/\{acteurId\}/, bigActeur],
    [/(?<=\/publications\/)\{id\}/, reported],
    [/(?<=\/import-sources\/)\{id\}/, source],
    [/(?<=\/import-runs\/)\{id\}/, run],
  ]
  const filled = ids.reduce((text, [pattern, id]) => text.replace(pattern, id), path)
  return filled.includes('{') ? null : filled
}

/** Returns each filter alone, each sort alone, and each filter with each sort. */
function* queriesOf(
  parameters: Parameter[],
  known: Extremes & { typeId: string; day: string },
  left: Set<string>,
) {
  const sorts = [null, ...(parameters.find(({ name }) => name === 'sort')?.schema.enum ?? [])]
  const filters: (string | null)[] = [null]
  for (const { name, schema } of parameters) {
    if (notFilters.has(name)) continue
    const values = valuesOf(name, schema, known)
    if (values.length === 0) left.add(`?${name}`)
    for (const value of values) filters.push(`${name}=${encodeURIComponent(value)}`)
  }
  for (const filter of filters)
    for (const sort of sorts) {
      const parts = [filter, sort && `sort=${sort}`].filter((part) => part !== null)
      yield parts.length === 0 ? '' : `?${parts.join('&')}`
    }
}

const notFilters = new Set(['page', 'per_page', 'sort', 'after', 'count', 'ids'])

function valuesOf(name: string, schema: Schema, known: Extremes & { typeId: string; day: string }): string[] {
  const of = schema.type === 'array' ? (schema.items ?? {}) : schema
  if (of.type === 'boolean') return ['true', 'false']
  if (of.enum !== undefined) return of.enum
  const { bigCommune, bigActeur, typeId, source, day, duplicateKey, group } = known
  const common = Array.from({ length: 12 }, (_, rank) => wordOf(rank)).join(' ')
  const time = `${day}T00:00:00Z`
  const values: Record<string, string[]> = {
    q: ['fê', 'dimanche', common, 'Fête du village', wordOf(3_000).slice(0, 4), wordOf(40_000)],
    ...{
      commune_id: [bigCommune],
      acteur_id: [bigActeur],
      type_id: [typeId],
      source_id: [source],
      group_id: [group],
    },
    ...{ created_by: [member.id], user_id: [member.id], duplicate_key: [duplicateKey] },
    ...{ since: [time], until: [time], updated_since: [time] },
    ...{ date_debut_min: [day], date_debut_max: [day], date_fin_min: [day] },
    ...{ departement: ['69'], region: ['84'], code_insee: ['75056'], older_than_days: ['3'] },
    ...{ entity: ['publication'], action: ['publication.update'], year: ['2026'] },
  }
  return values[name] ?? []
}
