import type { Topic } from './topics.ts'

/** A client that is subscribed through an open response. */
export type Listener<Rights> = {
  rights: Rights
  /** True if the listener may receive this topic. */
  wants(topic: Topic): boolean
  /** When the token expires, in ms since 1970; null for a session, whose end `stillAllowed` checks. */
  endsAt: number | null
  write(text: string): void
  /** Bytes that the client has not read. */
  unread(): number
  close(): void
}

/** Changes since the last read. */
export type News = { topics: ReadonlySet<Topic>; last: number; isGap: boolean }

type Source<Rights> = {
  /** Starts at the newest change and returns its number. */
  begin(): Promise<number>
  read(): Promise<News>
  /** Returns those of these permissions that have not changed since their listeners subscribed. */
  stillAllowed(all: Rights[]): Promise<ReadonlySet<Rights>>
  onFailure(error: unknown): void
}

type Times = { everyMs: number; commentMs: number; maxUnread: number }
/** A comment goes out well before a connection without traffic is closed: `defaultUnreadLimits`. */
const defaultTimes: Times = { everyMs: 1_000, commentMs: 4_000, maxUnread: 16_384 }

export type Hub<Rights> = {
  /** Resolves once all later commits are sure to be notified. `after`: the last event the client received. */
  listen(listener: Listener<Rights>, after: number | null): Promise<void>
  leave(listener: Listener<Rights>): void
  close(): void
  readonly size: number
}

/**
 * Notifies listeners of changes. It reads once a second while there are listeners. A failed read closes all
 * responses: permissions could not be checked, and reconnecting clients are notified of a gap.
 */
export function createHub<Rights>(source: Source<Rights>, times: Partial<Times> = {}): Hub<Rights> {
  const { everyMs, commentMs, maxUnread } = { ...defaultTimes, ...times }
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
      // A listener that subscribed during the read is checked in the next one.
      if (isOver || (all.includes(listener) && !allowed.has(listener.rights))) {
        close(listener)
        continue
      }
      const wanted = [...news.topics].filter((topic) => listener.wants(topic))
      const texts = news.isGap ? [resync(last)] : wanted.map((topic) => changed(topic, last))
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
