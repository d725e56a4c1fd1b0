import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { startConfined } from '../../../platform/confined-process.ts'
import { unavailable } from '../../../platform/errors.ts'
import { readerSlots } from '../../imports/readers/slots.ts'
import type { ReadPdf } from './read-pdf.ts'

const script = fileURLToPath(new URL('./process.ts', import.meta.url))
const startTimeoutMs = 60_000
const usualMemoryBytes = 500 * 2 ** 20

type Options = { signal: AbortSignal; process?: string; timeoutMs?: number; maxMemoryBytes?: number }

/** Reads a PDF in a process of its own. One that ends the process, by its memory too, or takes too long is unreadable. */
export async function readInProcess(
  bytes: Uint8Array,
  today: string,
  { signal, process = script, timeoutMs = 60_000, maxMemoryBytes = usualMemoryBytes }: Options,
): Promise<ReadPdf> {
  await readerSlots.take(signal)
  const child = await startConfined(process, {
    arguments: [`${maxMemoryBytes}`],
    execArgv: ['--max-old-space-size=128'],
  })
  // While nobody waits for it, an error of the process would end the service.
  child.on('error', () => undefined)
  try {
    // Requests go first, on one core too.
    if (child.pid !== undefined) setPriority(child.pid, 5)
    const started = await nextMessage(child, { signal, timeoutMs: startTimeoutMs })
    if (started === 'ended' || started === 'late')
      throw unavailable(`the process that reads PDFs ${started}`, 60)
    const reply = nextMessage(child, { signal, timeoutMs })
    child.send({ bytes, today })
    const read = await reply
    if (read === 'ended') return { unreadable: 'damaged' }
    return read === 'late' ? { unreadable: 'too_much' } : (read as ReadPdf)
  } finally {
    child.kill('SIGKILL')
    readerSlots.release()
  }
}

type Wait = { signal: AbortSignal; timeoutMs: number }

/** Returns the next message of a process, or what became of it instead. */
async function nextMessage(child: ChildProcess, { signal, timeoutMs }: Wait): Promise<unknown> {
  const settled = new AbortController()
  const late = AbortSignal.timeout(timeoutMs)
  const until = { signal: AbortSignal.any([signal, settled.signal, late]) }
  const message = once(child, 'message', until).then(([first]) => first)
  const ended = once(child, 'exit', until).then(() => 'ended')
  try {
    return await Promise.race([message, ended])
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (late.aborted) return 'late'
    throw error
  } finally {
    settled.abort()
    for (const left of [message, ended]) left.catch(() => undefined)
  }
}
