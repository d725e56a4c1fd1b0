import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { OpenApiDocument } from '../../src/platform/http/openapi/document.ts'

/** Which routes have answered what in the tests of a run: written down by each worker, looked at when all is over. */

export const makeAnsweredFolder = () => mkdtempSync(join(tmpdir(), 'parvis-answered-'))

/** Notes each kind of answer once. */
export function noteAnswers(folder: string): (answer: string) => void {
  const file = join(folder, `${process.pid}-${threadId}`)
  const noted = new Set<string>()
  return (answer) => {
    if (noted.has(answer)) return
    noted.add(answer)
    appendFileSync(file, `${answer}\n`)
  }
}

/** What the document promises of each route, and no test has seen: `PATCH /api/v1/claims/{id} 409`. */
export function unseenAnswers(folder: string, { paths }: OpenApiDocument): string[] {
  const seen = new Set(
    readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')),
  )
  rmSync(folder, { recursive: true })
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.keys(responses)
        .filter((status) => !shownInGeneral.has(status))
        .map((status) => `${method.toUpperCase()} ${path} ${status}`)
        .filter((answer) => !seen.has(answer)),
    ),
  )
}

/** Too large, unreadable, too often, broken or away: alike on every route, and shown on some. */
const shownInGeneral = new Set(['413', '415', '429', '500', '503'])
