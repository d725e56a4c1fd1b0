import Type, { type Static, type TProperties } from 'typebox'
import { recordKindNames } from '../../platform/access/record-kinds.ts'
import { Id, oneOf, UserName } from '../../platform/http/validation/schemas.ts'

export const keptSeconds = 30

export const Looking = Type.Object(
  {
    kind: oneOf(recordKindNames, 'Kind of the record'),
    id: Id('Identifier of the record'),
  },
  { additionalProperties: false },
)
export type Looking = Static<typeof Looking>

export type Colleague = Static<typeof UserName>

const present = Type.Array(UserName, {
  description: `Colleagues who looked at it within ${keptSeconds} s, without oneself; at most 20`,
})

export const Presence = Type.Object({ ...Looking.properties, present }, { title: 'Presence' })
export type Presence = Static<typeof Presence>

/** A single record with the colleagues who are viewing it. */
export const withPresence = <Fields extends TProperties>(fields: Fields, title: string) =>
  Type.Object({ ...fields, present }, { title })
