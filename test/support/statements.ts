import pg from 'pg'
import { vi } from 'vitest'

export type Statement = { sql: string; parameters: readonly unknown[]; name?: string | undefined }

// Seen from before the first connection is made.
const sent = vi.spyOn(pg.Client.prototype, 'query')

/** The statements that are sent meanwhile and speak of this: those of the background do not. */
export async function statementsAbout(words: RegExp, during: () => Promise<unknown>): Promise<Statement[]> {
  sent.mockClear()
  await during()
  return sent.mock.calls.map(read).filter(({ sql }) => words.test(sql))
}

/** As pg takes it: a text and its values, or both in one. */
function read([query, values]: unknown[]): Statement {
  if (typeof query === 'string') return { sql: query, parameters: (values as unknown[]) ?? [] }
  const { text = '', values: own, name } = query as pg.QueryConfig
  return { sql: text, parameters: own ?? (values as unknown[]) ?? [], name }
}
