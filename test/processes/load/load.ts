import { setTimeout as sleep } from 'node:timers/promises'
import { connect, roleIn } from '../postgres.ts'
import { type Service, timeoutMs } from '../service.ts'

// biome-ignore lint/suspicious/noExplicitAny: what is answered is looked into freely.
export type Answered = any
export type Asked = {
  body?: object
  source?: string
  token?: string
  key?: string
  headers?: Headers
  /** A refusal which shows that the work was already done. */
  doneAlready?: string
}
type Headers = Record<string, string>

/** The writes of one area, and the check afterwards that every acknowledged one is there exactly once. */
export type Writer = {
  /** One unit of work, determined by its number; done when it returns. */
  work(number: number): Promise<void>
  /** Called once no request is in flight. */
  check(): Promise<void>
}

/** A service that is killed and restarted, and clients that retry until they get a response. */
export function openLoad(service: Service) {
  let now = service
  const done = new Map<string, number>()
  let isOver = false
  let broken: unknown

  /** Retries until there is a response other than 503. */
  async function ask(method: string, path: string, { body, ...asked }: Asked = {}): Promise<Answered> {
    for (;;) {
      const answer = await tryOnce(`${await now.ready.catch(() => '')}/api/v1${path}`, method, body, asked)
      if (answer !== null) return answer
      if (broken !== undefined) throw broken
      await sleep(20)
    }
  }

  async function keepOn(area: string, { work }: Writer) {
    for (let number = 1; !isOver; number++) {
      await work(number)
      done.set(area, number)
    }
  }

  return {
    ask,
    query: (text: string, values: unknown[] = []) => query(now.dataDir, text, values),
    /** Polls until a statement returns a row, whatever happens to the database meanwhile. */
    async untilSome(text: string, values: unknown[] = []) {
      for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(100)) {
        const rows = await query(now.dataDir, text, values).catch(() => [])
        if (rows.length > 0) return rows
        if (broken !== undefined) throw broken
      }
      const open = "select name, state, retry_count, data from pgboss.job where state < 'completed'"
      const jobs = await query(now.dataDir, open, []).catch((error) => error)
      throw new Error(
        `It did not come: ${text} ${values}\n${JSON.stringify(jobs)}\n${now.state.out}${now.state.err}`,
      )
    },
    /** Runs all writers concurrently until stopped. */
    async run(writers: Record<string, Writer>) {
      const working = Object.entries(writers).map(([area, writer]) => keepOn(area, writer))
      for (const each of working) {
        each.catch((error) => {
          broken ??= error
        })
      }
      await Promise.all(working)
    },
    /** Switches to another process. */
    continueWith(next: Service) {
      now = next
    },
    end() {
      isOver = true
    },
    /** Number of completed units by area. */
    done: () => new Map(done),
    failed: () => broken,
  }
}
export type Load = ReturnType<typeof openLoad>

/** Null when it should be retried: no response, or 503. */
async function tryOnce(
  url: string,
  method: string,
  body: object | undefined,
  asked: Asked,
): Promise<Answered> {
  const { source = 'backoffice', token, key, headers, doneAlready } = asked
  const sent = {
    'x-app-source': source,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...headers,
  }
  try {
    const payload = body === undefined ? {} : { body: JSON.stringify(body) }
    const signal = AbortSignal.timeout(timeoutMs / 2)
    const response = await fetch(url, { method, headers: sent, signal, ...payload })
    const text = await response.text()
    const answer = text === '' ? {} : JSON.parse(text)
    if (response.ok || (doneAlready !== undefined && answer.error === doneAlready)) return answer
    if (response.status === 503 && /^[1-9]\d*$/.test(response.headers.get('retry-after') ?? '')) return null
    if (response.status === 409 && passing.has(answer.error)) return null
    throw new UnexpectedResponse(`${method} ${url} answered ${response.status} ${text}`)
  } catch (error) {
    if (error instanceof UnexpectedResponse) throw error
    if ((error as Error).name === 'TimeoutError')
      throw new UnexpectedResponse(`${method} ${url}: no response`)
    return null
  }
}
class UnexpectedResponse extends Error {}

/** An earlier request, or the work it started, is still running. */
const passing = new Set(['conflict', 'import_in_progress', 'sync_in_progress'])

async function query(dataDir: string, text: string, values: unknown[]) {
  const limits = { connectionTimeoutMillis: timeoutMs / 4, query_timeout: timeoutMs / 4 }
  const client = await connect({ ...(await roleIn(dataDir, 'owner')), ...limits })
  try {
    return (await client.query(text, values)).rows
  } finally {
    // Not awaited: the server may be dead.
    client.end().catch(() => {})
  }
}
