import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import type { Figures } from './module.ts'

/** Creates a dashboard figure that counts rows. */
export const countFigure = (description: string, example: number, rows: RawBuilder<unknown>) =>
  figure(description, example, sql`select count(*) as number from ${rows}`)

/** Creates a dashboard figure that adds up partial sums `n`. */
export const sumFigure = (description: string, example: number, rows: RawBuilder<unknown>) =>
  figure(description, example, sql`select coalesce(sum(n), 0)::int as number from ${rows}`)

function figure(description: string, example: number, query: RawBuilder<unknown>): Figures[string] {
  return {
    schema: Type.Integer({ description, examples: [example] }),
    async read(tx) {
      const { rows } = await sql<{ number: number }>`${query}`.execute(tx)
      return rows[0]?.number
    },
  }
}
