import Type, { type TProperties, type TSchema } from 'typebox'
import { Id, nullable, oneOf, titled } from './validation/schemas.ts'

/** The records of a bulk request, by id. */
export const bulkIds = {
  ids: Type.Array(Id(), { minItems: 1, maxItems: 100, description: 'A repeated id counts once' }),
}

export const bulkVersions = {
  versions: Type.Optional(
    Type.Record(Type.String({ format: 'uuid' }), Type.Integer({ minimum: 1 }), {
      description:
        'By id, the version that the caller has seen: with another one it is `changed` and stays as it is',
      maxProperties: 100,
      examples: [{}],
    }),
  ),
}

const count = Type.Integer({ examples: [1] })

/** The response of `changeMany`, with the results of refused records, and more in `meta`. */
export const BulkResults = <
  Previous extends TSchema,
  Refused extends string = never,
  Meta extends TProperties = Record<never, never>,
>(
  title: { result: string; answer: string },
  previous: Previous,
  { refused = [], meta }: { refused?: readonly Refused[]; meta?: Meta } = {},
) => {
  const counts = Object.fromEntries(refused.map((name) => [name, count])) as Record<Refused, typeof count>
  return titled(title.answer, {
    data: Type.Array(
      titled(title.result, {
        id: Id(),
        result: oneOf(['updated', 'unchanged', 'not_found', ...refused, 'changed']),
        previous: nullable(previous),
      }),
    ),
    meta: Type.Object({
      updated: count,
      unchanged: count,
      not_found: count,
      ...counts,
      changed: count,
      ...(meta as Meta),
    }),
  })
}
