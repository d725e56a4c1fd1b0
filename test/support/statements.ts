import pg from 'pg'

export type Statement = { sql: string; parameters: readonly unknown[]; name?: string | undefined }

const watchers = new Set<(statement: Statement) => void>()

// Files share what they import: wrapped once, from before the first connection is made.
const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  for (const watch of watchers) watch(read(given))
  return (query as (...given: unknown[]) => unknown).apply(this, given)
} as typeof query

/** The statements that are sent meanwhile and speak of this: those of the background do not. */
export async function statementsAbout(words: RegExp, during: () => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = []
  const watch = (statement: Statement) => void sent.push(statement)
  watchers.add(watch)
  await during().finally(() => watchers.delete(watch))
  return sent.filter(({ sql }) => words.test(sql))
}

/** As pg takes it: a text and its values, or both in one. */
function read([query, values]: unknown[]): Statement {
  if (typeof query === 'string') return { sql: query, parameters: (values as unknown[]) ?? [] }
  const { text = '', values: own, name } = query as pg.QueryConfig
  return { sql: text, parameters: own ?? (values as unknown[]) ?? [], name }
}
