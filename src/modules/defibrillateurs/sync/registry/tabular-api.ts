import { type DownloadLimits, usualLimits, withDownload } from '../download.ts'
import { SyncFailed } from '../sync-failed.ts'
import type { Tally } from '../tally.ts'
import { type Column, type RegistryRow, readRegistryRow } from './row.ts'

type Asked = { signal: AbortSignal; limits?: DownloadLimits; tally: Tally }
/** `isComplete`: as many rows came as the registry says that it has. */
export type Answered = { rows: RegistryRow[]; isComplete: boolean }

const pageLimits = { ...usualLimits, maxBytes: 20_000_000, totalMs: 60_000 }
/** No commune has so many. */
const mostRows = 50_000
const mostPages = 2_000

/** All that the registry has of a commune, by each of the codes that it may be known by there. */
export async function fetchCommune(apiUrl: string, codes: string[], asked: Asked): Promise<Answered> {
  const all: Answered = { rows: [], isComplete: true }
  for (const code of codes) {
    const { rows, isComplete } = await fetchCode(apiUrl, code, asked)
    all.rows.push(...rows)
    all.isComplete &&= isComplete
  }
  return all
}

async function fetchCode(apiUrl: string, code: string, { signal, limits, tally }: Asked): Promise<Answered> {
  const first = new URL(apiUrl)
  for (const [name, value] of [
    ['c_com_insee__exact', code],
    ['page', '1'],
    ['page_size', '50'],
  ] as const)
    first.searchParams.set(name, value)
  const rows: RegistryRow[] = []
  const seen = new Set<string>()
  let [read, total]: [number, number | null] = [0, null]
  for (let url: URL | null = first; url !== null; ) {
    if (seen.has(url.href) || seen.size === mostPages)
      throw new SyncFailed('The pages of the registry have no end.')
    seen.add(url.href)
    const page = await fetchPage(url, { signal, limits: limits ?? pageLimits })
    for (const record of page.data) {
      tally.counts.read++
      read++
      const row = readRegistryRow((column) => written(record, column), tally)
      if (row !== null) rows.push(row)
    }
    if (read > mostRows) throw new SyncFailed(`The registry has more of ${code} than a commune can have.`)
    total = page.total ?? total
    url = nextOf(page.next, url, first)
  }
  if (total !== null && total !== read)
    throw new SyncFailed(`The registry answered ${read} rows of ${code}, and says that it has ${total}.`)
  return { rows, isComplete: total !== null }
}

type Page = { data: Record<string, unknown>[]; next: string | null; total: number | null }

async function fetchPage(url: URL, options: { signal: AbortSignal; limits: DownloadLimits }): Promise<Page> {
  const text = await withDownload(url.href, options, async (body) => {
    const pieces: Uint8Array[] = []
    for await (const piece of body) pieces.push(piece)
    return Buffer.concat(pieces).toString()
  })
  const { data, links, meta } = parse(text)
  if (!Array.isArray(data) || !data.every((record) => typeof record === 'object' && record !== null))
    throw new SyncFailed('What the registry answered is no list of its rows.')
  const next = (links as { next?: unknown } | null | undefined)?.next
  const total = (meta as { total?: unknown } | null | undefined)?.total
  return {
    data,
    next: typeof next === 'string' && next !== '' ? next : null,
    total: Number.isInteger(total) ? (total as number) : null,
  }
}

function parse(text: string): { data?: unknown; links?: unknown; meta?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch {
    throw new SyncFailed('What the registry answered is not JSON.')
  }
}

/** Elsewhere than at the registry there are no rows of the registry. */
function nextOf(next: string | null, from: URL, first: URL): URL | null {
  if (next === null) return null
  const url = URL.parse(next, from)
  if (url?.host !== first.host || !/^https?:$/.test(url.protocol))
    throw new SyncFailed('The registry leads to another host for its next page.')
  // Behind a proxy it may not know that it is asked by https.
  url.protocol = first.protocol
  return url
}

/** As the CSV has it. */
function written(record: Record<string, unknown>, column: Column): string {
  const value = record[column]
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
