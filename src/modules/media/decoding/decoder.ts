import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import { confinedForMs, confinement, startConfined } from '../../../platform/confined-process.ts'
import { unavailable } from '../../../platform/errors.ts'
import type { Decoded, Reply } from './decoded.ts'
import { refusedFile } from './refusals.ts'

/**
 * Decodes files in a process of its own, one at a time; the others wait in their order. A file that kills the process is
 * refused; one that takes too long may come again, as the machine may be busy. The next one gets a new process. The process
 * ends after a while without a file, so that its memory is free again.
 */
export type Decoder = {
  /** Reads the file when it is its turn; throws a 422 that says why it is refused. */
  decode(read: () => Promise<Uint8Array>, signal: AbortSignal): Promise<Decoded>
}

type Options = {
  log: Pick<FastifyBaseLogger, 'warn'>
  script?: URL
  timeoutMs?: number
  /** The process ends after so long without a file. */
  idleMs?: number
  /** How many may wait: more than there are uploads of a bad day, fewer than would wait for an hour. */
  maxWaiting?: number
}

const startTimeoutMs = 20_000

export function createDecoder({
  log,
  script = new URL('./process.ts', import.meta.url),
  timeoutMs = 30_000,
  idleMs = 30_000,
  maxWaiting = 300,
}: Options): Decoder {
  let child: Promise<ChildProcess> | null = null
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let workedMs = 0

  function decode(read: () => Promise<Uint8Array>, signal: AbortSignal): Promise<Decoded> {
    if (waiting >= maxWaiting) throw unavailable('too many uploads wait to be decoded', 60)
    waiting++
    const result = last.then(async () => {
      signal.throwIfAborted()
      return decodeNow(await read())
    })
    last = result.catch(() => undefined)
    return result.finally(() => {
      waiting--
    })
  }

  /** Returns the process; a new one if it has ended since the last file, as one does that still had too much memory. */
  async function open(): Promise<ChildProcess> {
    try {
      child ??= start(script)
      if (hasEnded(await child)) child = start(script)
      return await child
    } catch (cause) {
      child = null
      throw unavailable(cause, 60)
    }
  }

  async function decodeNow(bytes: Uint8Array): Promise<Decoded> {
    clearTimeout(idle)
    const running = await open()
    const begun = performance.now()
    try {
      const answer = nextReply(running, timeoutMs)
      running.send(bytes)
      const reply = await answer
      if ('decoded' in reply) return reply.decoded
      // A library that failed may be out of memory, or worse.
      if ('refused' in reply && reply.refused === 'damaged') end()
      if ('refused' in reply) throw refusedFile(reply.refused)
      throw new Error('broken' in reply ? reply.broken : 'no reply')
    } catch (error) {
      if (!hasEnded(running) && !(error instanceof Lost)) throw error
      log.warn({ reason: String(error) }, 'the process that decodes uploads ended')
      running.kill('SIGKILL')
      child = null
      if (error instanceof Late) throw unavailable(error, 60)
      // Most likely a fault of the file.
      throw refusedFile('damaged')
    } finally {
      workedMs += performance.now() - begun
      if (workedMs > confinedForMs) end()
      idle = setTimeout(() => end(), idleMs).unref()
    }
  }

  function end() {
    child?.then((running) => running.disconnect()).catch(() => undefined)
    child = null
    workedMs = 0
  }

  return { decode }
}

const decoders = new WeakMap<object, Decoder>()

/** Returns the decoder of a service, which uploads and fetched pictures share. */
export function decoderOf({
  jobs,
  log,
}: {
  jobs: object
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}): Decoder {
  const existing = decoders.get(jobs)
  if (existing !== undefined) return existing
  const decoder = createDecoder({ log })
  decoders.set(jobs, decoder)
  void confinement().then(({ missing }) => {
    if (missing.length > 0)
      log.info(
        { missing },
        'the processes that read uploads have less protection than elsewhere: docs/security.md',
      )
  })
  return decoder
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** The process ended, or did not reply in time. */
class Lost extends Error {}
class Late extends Lost {}

async function start(script: URL): Promise<ChildProcess> {
  const child = await startConfined(fileURLToPath(script), {
    // No secret of the service. Memory of pictures goes back to the system as soon as it is free: otherwise a dozen documents
    // reach the limit of the process.
    env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' },
    execArgv: ['--max-old-space-size=128', '--expose-gc'],
  })
  // Neither the process nor its channel keeps a service running that stops.
  child.unref()
  child.channel?.unref()
  await nextReply(child, startTimeoutMs)
  return child
}

async function nextReply(child: ChildProcess, timeoutMs: number): Promise<Reply> {
  const ended = new AbortController()
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)])
  const lost = once(child, 'exit', { signal }).then(([code, by]): never => {
    throw new Lost(`it ended with ${code ?? by}`)
  })
  try {
    const [reply] = await Promise.race([once(child, 'message', { signal }), lost])
    return reply as Reply
  } catch (error) {
    throw error instanceof Lost ? error : new Late('it did not reply in time', { cause: error })
  } finally {
    ended.abort()
    lost.catch(() => undefined)
  }
}
