import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An installation of Parvis, by the address of the service itself: an edge cache may still have the state before. */
export type Cell = { name: string; url: string }

type Publication = {
  id: string
  slug: string
  title: string
  publie_le: string
  commune: { slug: string; nom: string } | null
}
type Page<Row, Meta> = { data: Row[]; meta: Meta }
type Change = { id: string; change: 'published' | 'changed' | 'gone' }
/** A copy of one installation; `next` is where to go on, null before the first copy. */
type Copy = { next: string | null; publications: Map<string, Publication>; failure: string | null }

/**
 * Gathers the publications of several installations. Each has a copy of its own, because slugs of two installations may be
 * the same, and one that is down leaves the others alone. A reader for real keeps the copies on a disk.
 */
export function createReader(cells: readonly Cell[]) {
  const copies = new Map(
    cells.map(({ name }): [string, Copy] => [name, { next: null, publications: new Map(), failure: null }]),
  )

  /** Brings all copies up to date, side by side. Call it every few seconds. */
  async function refresh(): Promise<void> {
    await Promise.all(
      cells.map(async (cell) => {
        const copy = copies.get(cell.name) as Copy
        try {
          await follow(cell, copy)
          copy.failure = null
        } catch (error) {
          // The copy stays as it was; the next call continues at the same cursor.
          copy.failure = (error as Error).message
        }
      }),
    )
  }
  /** Publications of all installations, newest first; of one commune if named. */
  function list(commune: string | null = null) {
    return [...copies]
      .flatMap(([cell, { publications }]) => [...publications.values()].map((one) => ({ cell, ...one })))
      .filter((one) => commune === null || one.commune?.slug === commune)
      .sort((one, other) => other.publie_le.localeCompare(one.publie_le))
  }
  const failures = () =>
    [...copies].flatMap(([cell, { failure }]) => (failure === null ? [] : [{ cell, failure }]))
  return { refresh, list, failures }
}

/** Applies the changes since the last call; copies everything the first time, and after more than 30 days. */
async function follow(cell: Cell, copy: Copy): Promise<void> {
  if (copy.next === null) await copyAll(cell, copy)
  for (let more = true; more; ) {
    const { status, body } = await get(
      cell,
      `/publications/changes?since=${encodeURIComponent(`${copy.next}`)}`,
    )
    if (status === 422) {
      copy.next = null
      return follow(cell, copy)
    }
    const { data, meta } = expectOk(status, body) as Page<Change, { next: string; more: boolean }>
    for (const { id, change } of data) await apply(cell, copy, id, change)
    // Only now: what was not applied is asked for again.
    copy.next = meta.next
    more = meta.more
  }
}

async function apply(
  cell: Cell,
  { publications }: Copy,
  id: string,
  change: Change['change'],
): Promise<void> {
  const { status, body } =
    change === 'gone' ? { status: 404, body: null } : await get(cell, `/publications/${id}`)
  // It may have gone since.
  if (status === 404) publications.delete(id)
  else publications.set(id, (expectOk(status, body) as { data: Publication }).data)
}

/** The place from which to follow comes first, so that no change during the copy is missed. */
async function copyAll(cell: Cell, copy: Copy): Promise<void> {
  const start = await get(cell, `/publications/changes?since=${new Date().toISOString()}`)
  const { meta } = expectOk(start.status, start.body) as Page<Change, { next: string }>
  const publications: Copy['publications'] = new Map()
  for (let after: string | null = ''; after !== null; ) {
    const place: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`
    const { status, body } = await get(
      cell,
      `/publications?updated_since=2000-01-01T00:00:00Z&per_page=100${place}`,
    )
    const page = expectOk(status, body) as Page<Publication, { next: string | null }>
    for (const one of page.data) publications.set(one.id, one)
    after = page.meta.next
  }
  copy.publications = publications
  copy.next = meta.next
}

async function get({ url }: Cell, path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}/api/v1${path}`, {
    headers: { 'x-app-source': 'public' },
    signal: AbortSignal.timeout(10_000),
  })
  return { status: response.status, body: await response.json() }
}

function expectOk(status: number, body: unknown): unknown {
  if (status === 200) return body
  throw new Error(`it answers ${status}`)
}

/** Serves what was gathered: `GET /publications?commune=<slug>`, with the installations that could not be read. */
export async function serveReader({ list, failures }: ReturnType<typeof createReader>, port = 0) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const isKnown = request.method === 'GET' && pathname === '/publications'
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json; charset=utf-8' })
    response.end(
      JSON.stringify(isKnown ? { data: list(searchParams.get('commune')), outdated: failures() } : {}),
    )
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
