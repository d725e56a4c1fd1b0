import type { BulkAnswer, ListedPublication } from '../queries.ts'

/** Rows that the service takes in one request. */
const most = 100

export type Progress = { done: number; total: number }
/** A decision on the service, which can be undone, and the rows that it is about. */
export type Decided = { id: string; ids: readonly string[] }
/** Rows that a bulk action did not reach, because one of its requests failed. */
export type Rest = { rows: readonly ListedPublication[]; error: unknown }

/** The service makes no decision where nothing changed. */
export const decidedBy = (id: string | null, ids: readonly string[]): Decided[] =>
  id === null ? [] : [{ id, ids }]

/**
 * Sends a bulk action a hundred rows at a time, one request after the other. Throws the error of the first request; one of
 * a later request leaves what was decided, and returns the rest.
 */
export async function inCalls(
  rows: readonly ListedPublication[],
  send: (rows: readonly ListedPublication[]) => Promise<BulkAnswer>,
  onProgress: (progress: Progress | null) => void,
  perCall = most,
) {
  const decided: Decided[] = []
  const changed: string[] = []
  let updated = 0
  let rest: Rest | undefined
  try {
    for (let from = 0; from < rows.length && rest === undefined; from += perCall) {
      if (rows.length > perCall) onProgress({ done: from, total: rows.length })
      const part = rows.slice(from, from + perCall)
      try {
        const { data, meta } = await send(part)
        updated += meta.updated
        decided.push(
          ...decidedBy(
            meta.decision_id,
            part.map(({ id }) => id),
          ),
        )
        for (const { id, result } of data) if (result === 'changed') changed.push(id)
      } catch (error) {
        if (from === 0) throw error
        rest = { rows: rows.slice(from), error }
      }
    }
  } finally {
    if (rows.length > perCall) onProgress(null)
  }
  return { updated, decided, changed, ...(rest && { rest }) }
}
