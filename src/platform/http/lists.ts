import Type, { type TSchema } from 'typebox'
import { Id, oneOf } from './schemas.ts'

/** Query parameters of lists, in addition to `pagingQuery`. */

/** A sort parameter: one of these keys, ascending or descending. */
export function sortQuery<const Key extends string>(keys: readonly Key[], usual: `${Key}_${'asc' | 'desc'}`) {
  const sorts = keys.flatMap((key) => [`${key}_asc`, `${key}_desc`] as const)
  return Type.Optional(oneOf(sorts, `Default: \`${usual}\``))
}

/** Restricts the list to these records; the other filters still apply. */
export const idsQuery = Type.Optional(
  Type.Array(Id(), { minItems: 1, maxItems: 100, description: 'Only these, separated by commas' }),
)

/** Accepts several values, separated by commas. */
export const several = <T extends TSchema>(value: T, description?: string) =>
  Type.Optional(Type.Array(value, { minItems: 1, maxItems: 20, ...(description && { description }) }))
