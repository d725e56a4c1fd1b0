import type { CompiledQuery, Kysely, KyselyPlugin, RootOperationNode } from 'kysely'
import type { DB } from '../types.generated.ts'

/**
 * Returns the database with its statements prepared. With the many partial indexes, planning is most of the
 * cost of a read by key or a write; so `db` and `reads` prepare, and `lists` only statements with one good
 * plan for all values.
 */
export const prepared = (db: Kysely<DB>): Kysely<DB> => db.withPlugin(prepares)

/**
 * Returns the database with its statements planned each time, with their values. A cached plan ignores the
 * values, which is bad for
 * - lists, totals and searches whose best plan depends on the values, so `lists` plans each time;
 * - sweeps, whose limit is a value;
 * - statements whose text varies with the number of values: they seldom repeat, and a connection keeps few.
 */
export const unprepared = (db: Kysely<DB>): Kysely<DB> => db.withPlugin(plansEachTime)

/** Returns whether to prepare a statement: as marked by `prepared` or `unprepared`, else as its pool does. */
export const isPrepared = ({ query }: Pick<CompiledQuery, 'query'>, usually: boolean): boolean =>
  (query as Marked)[mark] ?? usually

/**
 * Returns the transaction with its statements deferred: they resolve when they are sent, without rows, and their
 * failure is thrown by the next statement or by the commit. For statements whose result nobody reads. Outside a
 * transaction they are executed as usual. With a refusal, a statement that returns no row fails with it.
 */
export const deferred = (tx: Kysely<DB>, refusal?: () => Error): Kysely<DB> =>
  tx.withPlugin(marking({ [deferredMark]: true, ...(refusal && { [refusalMark]: refusal }) }))

export const isDeferred = ({ query }: Pick<CompiledQuery, 'query'>): boolean =>
  (query as Marked)[deferredMark] === true

/** Returns the refusal of a statement that returns no row, if it has one. */
export const refusalOf = ({ query }: Pick<CompiledQuery, 'query'>): (() => Error) | undefined =>
  (query as Marked)[refusalMark]

const mark = Symbol('prepared')
const deferredMark = Symbol('deferred')
const refusalMark = Symbol('refusal')
type Marks = { [mark]?: boolean; [deferredMark]?: boolean; [refusalMark]?: () => Error }
type Marked = RootOperationNode & Marks

/** Marks a copy, because a raw query reuses its node each time it is executed. */
const marking = (marks: Marks): KyselyPlugin => ({
  transformQuery: ({ node }) => ({ ...node, ...marks }),
  transformResult: async ({ result }) => result,
})
const prepares = marking({ [mark]: true })
const plansEachTime = marking({ [mark]: false })
