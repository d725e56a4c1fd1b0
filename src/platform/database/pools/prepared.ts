import type { CompiledQuery, Kysely, KyselyPlugin, RootOperationNode } from 'kysely'
import type { DB } from '../types.generated.ts'

/**
 * Prepares the statements sent through it. With the many partial indexes, planning is most of the cost of a read by key
 * or a write; so `db` and `reads` prepare, and `lists` does for statements that have one good plan for all values.
 */
export const prepared = (db: Kysely<DB>): Kysely<DB> => db.withPlugin(prepares)

/**
 * Plans the statements sent through it each time, with their values. A cached plan does not know them, which is bad for
 * - lists, totals and searches whose best plan depends on the values, so `lists` plans each time;
 * - sweeps, whose limit is a value;
 * - a text that varies with the number of its values: it is seldom repeated, and a connection keeps few.
 */
export const unprepared = (db: Kysely<DB>): Kysely<DB> => db.withPlugin(plansEachTime)

/** Whether a statement is prepared: as `prepared` or `unprepared` says, else as usual on its pool. */
export const isPrepared = ({ query }: Pick<CompiledQuery, 'query'>, usually: boolean): boolean =>
  (query as Marked)[mark] ?? usually

const mark = Symbol('prepared')
type Marked = RootOperationNode & { [mark]?: boolean }

/** Marks a copy: the node of a raw query is sent again when the query is executed again. */
const marking = (value: boolean): KyselyPlugin => ({
  transformQuery: ({ node }) => ({ ...node, [mark]: value }),
  transformResult: async ({ result }) => result,
})
const prepares = marking(true)
const plansEachTime = marking(false)
