import pg from 'pg'

export type Statement = { sql: string; parameters: readonly unknown[]; isPrepared?: boolean }

const watchers = new Set<(statement: Statement) => void>()

// Test files share imports: wrapped once, before the first connection.
const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  for (const watch of watchers) watch(read(given))
  return (query as (...given: unknown[]) => unknown).apply(this, given)
} as typeof query

/** Returns the statements that match meanwhile; those of background work do not. */
export async function statementsAbout(words: RegExp, during: () => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = []
  const watch = (statement: Statement) => void sent.push(statement)
  watchers.add(watch)
  await during().finally(() => watchers.delete(watch))
  return sent.filter(({ sql }) => words.test(sql))
}

/** Both call forms of pg: text with values, or one object. */
function read([query, values]: unknown[]): Statement {
  if (typeof query === 'string') return { sql: query, parameters: (values as unknown[]) ?? [] }
  const { text = '', values: own, name } = query as pg.QueryConfig
  return { sql: text, parameters: own ?? (values as unknown[]) ?? [], isPrepared: name !== undefined }
}
