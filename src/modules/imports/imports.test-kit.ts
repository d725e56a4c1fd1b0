import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import type { World } from '../../../test/support/world.ts'
import { createGuardedFetch } from '../../platform/fetch/guarded-fetch.ts'
import { readItems } from './readers/read.ts'
import { doRun, type Reading } from './run/rules.ts'
import type { Run } from './schema.ts'

export const allowPrivate = { IMPORT_ALLOW_PRIVATE: 'true' }

export type Page = { body: string | Buffer; status?: number; headers?: Record<string, string> }

/** Creates sources on a real local server and runs their imports. */
export async function importsKit(world: World) {
  const admin = await world.as('admin')
  const { serve, url } = await openFeedServer()
  /** Reads like the service, but in this thread. */
  const reading: Reading = {
    fetch: createGuardedFetch({ allowPrivate: true }),
    read: (input) => readItems(input),
    signal: new AbortController().signal,
    hasDemo: false,
  }
  const at = (id: string) => `/admin/import-sources/${id}`
  let number = 0

  return {
    admin,
    reading,
    at,
    /** Sets the server's response for this source. */
    say(source: { url: string }, page: Page | string): void {
      serve(new URL(source.url).pathname, typeof page === 'string' ? { body: page } : page)
    },
    async source(page: Page | string, values: object = {}): Promise<Source> {
      const path = `/feed-${++number}`
      serve(path, typeof page === 'string' ? { body: page } : page)
      const given = { nom: `Source ${number}`, type: 'rss', url: `${url}${path}`, ...values }
      const answer = await admin.post('/admin/import-sources', given)
      if (answer.status !== 201) throw new Error(answer.text)
      return answer.body.data
    },
    async run({ id }: { id: string }, tools: Partial<Reading> = {}): Promise<Run> {
      const asked = await admin.post(`${at(id)}/run`)
      if (asked.status !== 202) throw new Error(asked.text)
      await doRun(world, asked.body.data.id, { ...reading, ...tools })
      const { body } = await admin.get(`${at(id)}/runs?per_page=1&dry_run=false`)
      return body.data[0]
    },
    async dryRun({ id }: { id: string }) {
      const { body, status, text } = await admin.post(`${at(id)}/run?dry_run=true`)
      if (status !== 200) throw new Error(text)
      return body.data
    },
    async log({ id }: { id: string }) {
      const { body } = await admin.get(
        `${at(id)}/logs/${new Date().toLocaleDateString('sv', { timeZone: 'Europe/Paris' })}`,
      )
      return body.data.runs[0].lines as { level: string; message: string; external_id: string | null }[]
    },
    /** Publications of a source in the order of its items. */
    async publications({ id }: { id: string }) {
      return world.db
        .selectFrom('import_items as i')
        .innerJoin('publications as p', 'p.id', 'i.publication_id')
        .selectAll('p')
        .select('i.external_id')
        .where('i.source_id', '=', id)
        .orderBy('i.external_id')
        .execute()
    },
  }
}
type Source = { id: string; url: string; version: number; nom: string }

/** Serves pages by path; returns 304 to a client that has the current one. */
export async function openFeedServer() {
  const pages = new Map<string, Page>()
  const server = createServer((request, response) => {
    const {
      body,
      status = 200,
      headers = {},
    } = pages.get((request.url ?? '').split('?')[0] ?? '') ?? { body: '', status: 404 }
    const known = headers.etag !== undefined && request.headers['if-none-match'] === headers.etag
    response.writeHead(known ? 304 : status, headers).end(known ? undefined : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, serve: (path: string, page: Page) => void pages.set(path, page) }
}

type Item = { guid?: string; title?: string; description?: string; link?: string }

export const rss = (...items: Item[]) => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>Médiathèque</title>${items
  .map(
    (item) =>
      `<item>${Object.entries(item)
        .map(([name, value]) => `<${name}>${xml(value)}</${name}>`)
        .join('')}</item>`,
  )
  .join('\n')}</channel></rss>`

const xml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
