import { type RawBuilder, sql } from 'kysely'
import Type from 'typebox'
import type { Figures } from './module.ts'

/** Creates a dashboard figure that counts rows. */
export const countFigure = (
  description: string,
  example: number,
  rows: RawBuilder<unknown>,
): Figures[string] => ({
  schema: Type.Integer({ description, examples: [example] }),
  async read(tx) {
    const { rows: counted } = await sql<{ number: number }>`select count(*) as number from ${rows}`.execute(
      tx,
    )
    return counted[0]?.number
  },
})
