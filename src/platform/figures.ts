import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import type { Figures } from './module.ts'

/** A number of rows, on the dashboard. */
export function countFigure(
  description: string,
  example: number,
  rows: RawBuilder<unknown>,
): Figures[string] {
  return {
    schema: Type.Integer({ description, examples: [example] }),
    async read(tx) {
      const { rows: counted } = await sql<{ count: number }>`select count(*) as count from ${rows}`.execute(
        tx,
      )
      return counted[0]?.count
    },
  }
}
