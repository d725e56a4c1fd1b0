import Type, { type Static } from 'typebox'
import { recordKindNames } from '../../platform/access/record-kinds.ts'
import {
  Id,
  line,
  nullable,
  oneOf,
  strictObject,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'

const asked = {
  user_id: Type.Optional(Id('An account, and its address if that is verified')),
  email: Type.Optional(
    line(254, {
      description: 'An address: what bears it, and the accounts that have verified it',
      examples: ['odile.vauquelin@example.org'],
    }),
  ),
  also: Type.Optional(
    Type.Array(Id(), {
      maxItems: 100,
      description: 'Records of other accounts that bear the address and are the person’s too',
      examples: [['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e']],
    }),
  ),
}

export const AskedBody = strictObject(asked, { minProperties: 1 })
export type AskedBody = Static<typeof AskedBody>

export const EraseBody = strictObject(
  {
    ...asked,
    dry_run: Type.Optional(
      Type.Boolean({
        description: 'Says what an erasure would change, and changes nothing',
        examples: [true],
      }),
    ),
  },
  { minProperties: 1 },
)
export type EraseBody = Static<typeof EraseBody>

const userIds = Type.Array(Id(), {
  description: 'Accounts of the person',
  examples: [['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e']],
})
const emails = Type.Array(Type.String(), {
  description: 'Addresses that are certainly theirs',
  examples: [['odile.vauquelin@example.org']],
})
/** The person that a request names. */
export const personFields = { user_ids: userIds, emails }

const name = Type.String({ description: 'As in an export', examples: ['claims'] })
const title = Type.String({ examples: ['Claims'] })
const erasure = Type.String({
  description: 'What an erasure does to it, or why it stays',
  examples: ['Lose name, contacts and message; a pending claim expires.'],
})
const kind = nullable(oneOf(recordKindNames, 'The kind of `records`; null: none can be opened'))

const NamedRecord = titled('RecordOfPerson', {
  id: Id(),
  label: textOrNull('Les Croqueurs de pommes'),
})
const records = Type.Array(NamedRecord)

export const Unsure = titled('UnsureOfPerson', {
  users: Type.Array(NamedRecord, {
    description: 'Accounts that say to have the address; nobody has verified it',
  }),
  records: Type.Array(titled('UnsureRecords', { name, title, kind, records }), {
    description: 'Records with the address that another account made; `also` includes them',
  }),
})
export type Unsure = Static<typeof Unsure>

const Place = titled('PlaceOfPerson', {
  name,
  title,
  erasure,
  kind,
  total: Type.Integer({ description: 'At most 10 000', examples: [2] }),
  is_more: Type.Boolean({ description: 'Whether there are more', examples: [false] }),
  records: { ...records, description: 'The five newest that can be opened' },
})
export type Place = Static<typeof Place>

export const FoundPerson = titled('FoundPerson', {
  ...personFields,
  places: Type.Array(Place, { description: 'Where the person occurs, by kind of data' }),
  unsure: Unsure,
})
export type FoundPerson = Static<typeof FoundPerson>

const ErasedPlace = titled('ErasedPlace', {
  name,
  title,
  erasure,
  rows: Type.Integer({ description: 'Changed or deleted', examples: [2] }),
})

export const ErasedPerson = titled('ErasedPerson', {
  ...personFields,
  dry_run: Type.Boolean({ examples: [false] }),
  places: Type.Array(ErasedPlace),
  unsure: Unsure,
})
export type ErasedPerson = Static<typeof ErasedPerson>
