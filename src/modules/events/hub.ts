import type { Topic } from './topics.ts'

/** Somebody who listens, on an open response. */
export type Listener<Rights> = {
  rights: Rights
  /** Whether the listener may know of this topic. */
  hears(topic: Topic): boolean
  /** When the token ends, in ms since 1970; null: a session, whose end is looked up. */
  endsAt: number | null
  write(text: string): void
  /** Bytes that the client has not read. */
  unread(): number
  close(): void
}

/** Changes since the last reading. */
export type News = { topics: ReadonlySet<Topic>; last: number; isGap: boolean }

type Source<Rights> = {
  /** Begins at the newest change, and returns its number. */
  begin(): Promise<number>
  read(): Promise<News>
  /** Returns the listeners whose rights have not changed since they began to listen. */
  stillAllowed(all: Rights[]): Promise<ReadonlySet<Rights>>
  onFailure(error: unknown): void
}

type Times = { everyMs: number; commentMs: number; maxUnread: number }
const usualTimes: Times = { everyMs: 1_000, commentMs: 10_000, maxUnread: 16_384 }

export type Hub<Rights> = {
  /** Resolves once everything that is committed from now on will be told. `after`: the last event the client saw. */
  listen(listener: Listener<Rights>, after: number | null): Promise<void>
  leave(listener: Listener<Rights>): void
  close(): void
  readonly size: number
}

/**
 * Tells listeners what changed. It reads once a second while somebody listens. A reading that fails closes all
 * responses: rights could not be checked, and clients that come back learn of a gap.
 */
export function createHub<Rights>(source: Source<Rights>, times: Partial<Times> = {}): Hub<Rights> {
  const { everyMs, commentMs, maxUnread } = { ...usualTimes, ...times }
  const listeners = new Set<Listener<Rights>>()
  let beginning: Promise<number> | null = null
  let last = 0
  let timer: NodeJS.Timeout | undefined
  let commentAt = 0
  let isClosed = false

  function close(listener: Listener<Rights>) {
    if (listeners.delete(listener)) listener.close()
    if (listeners.size > 0) return
    clearTimeout(timer)
    timer = undefined
    beginning = null
  }
  const closeAll = () => {
    for (const listener of [...listeners]) close(listener)
  }

  function send(listener: Listener<Rights>, text: string) {
    listener.write(text)
    if (listener.unread() > maxUnread) close(listener)
  }

  async function tick(): Promise<void> {
    const all = [...listeners]
    const [news, allowed] = await Promise.all([
      source.read(),
      source.stillAllowed(all.map(({ rights }) => rights)),
    ])
    last = news.last
    const now = Date.now()
    const isCommentDue = now >= commentAt
    if (isCommentDue) commentAt = now + commentMs
    for (const listener of listeners) {
      const isOver = listener.endsAt !== null && listener.endsAt <= now
      // A listener that joined during the reading is checked in the next.
      if (isOver || (all.includes(listener) && !allowed.has(listener.rights))) {
        close(listener)
        continue
      }
      const heard = [...news.topics].filter((topic) => listener.hears(topic))
      const texts = news.isGap ? [resync(last)] : heard.map((topic) => changed(topic, last))
      if (texts.length > 0) send(listener, texts.join(''))
      else if (isCommentDue) send(listener, ':\n\n')
    }
  }

  function schedule() {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      try {
        await tick()
      } catch (error) {
        source.onFailure(error)
        closeAll()
      }
      if (listeners.size > 0) schedule()
    }, everyMs)
    timer.unref()
  }

  return {
    get size() {
      return listeners.size
    },
    async listen(listener, after) {
      beginning ??= source.begin()
      const current = beginning
      try {
        last = Math.max(last, await current)
      } catch (error) {
        if (beginning === current) beginning = null
        throw error
      }
      if (isClosed) return listener.close()
      listeners.add(listener)
      send(listener, `retry: 1000\nid: ${last}\n:\n\n`)
      if (after !== null && after !== last) send(listener, resync(last))
      if (timer === undefined && listeners.size > 0) schedule()
    },
    leave: close,
    close() {
      isClosed = true
      closeAll()
    },
  }
}

const changed = (topic: Topic, id: number) => `id: ${id}\ndata: ${JSON.stringify({ topic })}\n\n`
const resync = (id: number) => `id: ${id}\nevent: resync\ndata: {}\n\n`
