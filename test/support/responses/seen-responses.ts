import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { OpenApiDocument } from '../../../src/platform/http/openapi/types.ts'

/** Records which routes returned which statuses during a run: written by each worker, checked at the end. */

/** `PARVIS_TEST_SEEN` names a folder that several rounds share: what one of them leaves out, another one sees. */
export const makeSeenFolder = () =>
  process.env.PARVIS_TEST_SEEN ?? mkdtempSync(join(tmpdir(), 'parvis-answered-'))

export function removeSeenFolder(folder: string): void {
  if (folder !== process.env.PARVIS_TEST_SEEN) rmSync(folder, { recursive: true })
}

/** Records each kind of response once. */
export function recordResponses(folder: string): (answer: string) => void {
  const file = join(folder, `${process.pid}-${threadId}`)
  const noted = new Set<string>()
  return (answer) => {
    if (noted.has(answer)) return
    noted.add(answer)
    appendFileSync(file, `${answer}\n`)
  }
}

/** Responses that the document promises and no test has seen: `PATCH /api/v1/claims/{id} 409`. */
export function unseenResponses(folder: string, { paths }: OpenApiDocument): string[] {
  const seen = new Set(
    readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')),
  )
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.keys(responses)
        .filter((status) => !shownInGeneral.has(status))
        .map((status) => `${method.toUpperCase()} ${path} ${status}`)
        .filter((answer) => !seen.has(answer)),
    ),
  )
}

/** Too large, unreadable, rate-limited, broken or unavailable: the same on every route, and tested on some. */
const shownInGeneral = new Set(['413', '415', '429', '500', '503'])
