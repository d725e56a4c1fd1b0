import { got, signInApi } from '../client.ts'

/** Batch of events; an empty batch is a heartbeat. */
export type Events = {
  topics: readonly string[]
  /** Whether changes may have been missed. */
  isGap: boolean
  /** Id of the last event, from which to resume; empty while unknown. */
  lastId: string
}

/** Timeout of a silent connection. The service sends data at least every ten seconds. */
const silenceMs = 25_000

type Options = { lastId: string; signal: AbortSignal; onEvents: (events: Events) => void }

/** Reads the events of the service until the connection ends, times out or is aborted. */
export async function readEvents({ lastId, signal, onEvents }: Options): Promise<void> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silenceMs)
  try {
    const body = await got(
      // `signInApi`: an expired session must not open the sign-in dialog while the user is typing.
      signInApi.GET('/api/v1/admin/events', {
        parseAs: 'stream',
        signal: AbortSignal.any([signal, silence.signal]),
        headers: { Accept: 'text/event-stream', ...(lastId !== '' && { 'Last-Event-ID': lastId }) },
      }),
    )
    const reader = (body as unknown as ReadableStream<Uint8Array>)
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .getReader()
    let unread = ''
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), silenceMs)
      const blocks = (unread + part.value).split('\n\n')
      unread = blocks.pop() ?? ''
      if (blocks.length > 0) onEvents(eventsOf(blocks))
    }
  } finally {
    clearTimeout(timer)
  }
}

function eventsOf(blocks: readonly string[]): Events {
  const lines = blocks.flatMap((block) => block.split('\n'))
  const valuesOf = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}: `)).map((line) => line.slice(field.length + 2))
  return {
    topics: valuesOf('data').flatMap((data) => (JSON.parse(data) as { topic?: string }).topic ?? []),
    isGap: valuesOf('event').includes('resync'),
    lastId: valuesOf('id').at(-1) ?? '',
  }
}
