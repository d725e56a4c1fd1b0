import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Language } from '../language.ts'
import { type Column, csvWriter } from './csv.ts'
import type { Answer } from './csv-route.ts'

type Read = (after: string) => Promise<Answer>

const attempts = 3

/** Writes a list as CSV, batch by batch, as fast as the client reads. */
export function csvStream(first: Answer, read: Read, columns: Column[], language: Language): Readable {
  return Readable.from(linesOf(first, read, csvWriter(columns, language)), { objectMode: false })
}

/** Reads the next batch while this one is sent: the database and the client work concurrently. */
async function* linesOf(first: Answer, read: Read, writer: ReturnType<typeof csvWriter>) {
  let head = writer.head
  for (let batch: Answer | null = first; batch !== null; ) {
    const { data, meta }: Answer = batch
    const following: Promise<Answer> | null = meta.next === null ? null : readWithRetries(read, meta.next)
    // If the client has left, nobody awaits it.
    following?.catch(() => {})
    const lines: string = head + writer.rows(data)
    if (lines !== '') yield lines
    head = ''
    batch = await following
  }
}

/** Retries a failed read, so that a short database overload does not abort a response in progress. */
async function readWithRetries(read: Read, after: string): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read(after)
    } catch (error) {
      if (attempt === attempts) throw error
      await sleep(1_000)
    }
  }
}
