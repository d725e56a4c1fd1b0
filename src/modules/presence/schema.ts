import Type, { type Static, type TProperties } from 'typebox'
import { recordKindNames } from '../../platform/access/record-kinds.ts'
import { Id, oneOf, strictObject, titled, UserName } from '../../platform/http/validation/schemas.ts'

export const keptSeconds = 30

export const Looking = strictObject({
  kind: oneOf(recordKindNames, 'Kind of the record'),
  id: Id('Identifier of the record'),
})
export type Looking = Static<typeof Looking>

export type Colleague = Static<typeof UserName>

const present = Type.Array(UserName, {
  description: `Colleagues who looked at it within ${keptSeconds} s, without oneself; at most 20`,
})

export const Presence = titled('Presence', { ...Looking.properties, present })
export type Presence = Static<typeof Presence>

/** A single record with the colleagues who are viewing it. */
export const withPresence = <Fields extends TProperties>(fields: Fields, title: string) =>
  titled(title, { ...fields, present })
