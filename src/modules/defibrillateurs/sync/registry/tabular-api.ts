import type { Thread } from '../../../../platform/thread.ts'
import { type DownloadLimits, defaultLimits, withDownload } from '../download.ts'
import { SyncFailed } from '../sync-failed.ts'
import type { Tally } from '../tally.ts'
import { type ParsedPage, type Question, readInWorker } from './read-in-worker.ts'
import type { RegistryRow } from './row.ts'

type ReadOptions = { signal: AbortSignal; limits?: DownloadLimits; tally: Tally }
/** `isComplete`: as many rows arrived as the registry announced. */
export type CommuneRows = { rows: RegistryRow[]; isComplete: boolean }

const pageLimits = { ...defaultLimits, maxBytes: 20_000_000, totalMs: 60_000 }
/** More than any commune has. */
const maxRows = 50_000
const maxPages = 2_000

/** Fetches all devices of a commune under each of its codes. */
export async function fetchCommune(
  apiUrl: string,
  codes: string[],
  asked: ReadOptions,
): Promise<CommuneRows> {
  const all: CommuneRows = { rows: [], isComplete: true }
  const thread = readInWorker('api', asked.tally, asked.signal)
  try {
    for (const code of codes) {
      const { rows, isComplete } = await fetchCode(apiUrl, code, { ...asked, thread })
      all.rows.push(...rows)
      all.isComplete &&= isComplete
    }
    return all
  } finally {
    await thread.end()
  }
}

type Reading = ReadOptions & { thread: Thread<Question, ParsedPage> }

async function fetchCode(
  apiUrl: string,
  code: string,
  { signal, limits, tally, thread }: Reading,
): Promise<CommuneRows> {
  const first = new URL(apiUrl)
  for (const [name, value] of [
    ['c_com_insee__exact', code],
    ['page', '1'],
    ['page_size', '50'],
  ] as const)
    first.searchParams.set(name, value)
  const rows: RegistryRow[] = []
  const seen = new Set<string>()
  const before = tally.counts.read
  let total: number | null = null
  for (let url: URL | null = first; url !== null; ) {
    if (seen.has(url.href) || seen.size === maxPages)
      throw new SyncFailed('The pages of the registry have no end.')
    seen.add(url.href)
    const page = await thread.request(await download(url, { signal, limits: limits ?? pageLimits }))
    rows.push(...page.rows)
    if (tally.counts.read - before > maxRows)
      throw new SyncFailed(`The registry has more of ${code} than a commune can have.`)
    total = page.total ?? total
    url = nextOf(page.next, url, first)
  }
  const read = tally.counts.read - before
  if (total !== null && total !== read)
    throw new SyncFailed(`The registry answered ${read} rows of ${code}, and says that it has ${total}.`)
  return { rows, isComplete: total !== null }
}

async function download(
  url: URL,
  options: { signal: AbortSignal; limits: DownloadLimits },
): Promise<Uint8Array> {
  return withDownload(url.href, options, async (body) => Buffer.concat(await Array.fromAsync(body)))
}

/** Returns the URL of the next page; throws if it is on another host. */
function nextOf(next: string | null, from: URL, first: URL): URL | null {
  if (next === null) return null
  const url = URL.parse(next, from)
  if (url?.host !== first.host || !/^https?:$/.test(url.protocol))
    throw new SyncFailed('The registry leads to another host for its next page.')
  // Behind a proxy, the registry may send http links although called over https.
  url.protocol = first.protocol
  return url
}
