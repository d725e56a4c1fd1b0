import Type, { type Static } from 'typebox'
import { roles } from '../../platform/access/areas.ts'
import {
  Can,
  filledLine,
  Id,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  text,
  titled,
} from '../../platform/http/validation/schemas.ts'

const listName = '^[a-z][a-z-]{0,39}$'

export const Preferences = strictObject(
  {
    theme: Type.Optional(oneOf(['system', 'light', 'dark'], 'Colours of the back-office')),
    keys: Type.Optional(Type.Boolean({ description: 'Whether keyboard shortcuts are on', examples: [true] })),
    columns: Type.Optional(
      Type.Record(Type.String({ pattern: listName }), Type.Array(filledLine(60), { maxItems: 30 }), {
        description: 'The columns shown in each list, in order',
        maxProperties: 30,
        additionalProperties: false,
        examples: [{ publications: ['titre', 'acteur', 'created_at'] }],
      }),
    ),
  },
  { title: 'Preferences' },
)
export type Preferences = Static<typeof Preferences>

const list = Type.String({
  pattern: listName,
  description: 'The list it is a view of',
  examples: ['publications'],
})
const role = oneOf(roles, 'Colleagues with this role see it too')

export const ViewCreate = strictObject({
  list,
  name: filledLine(100, { examples: ['Signalées de ma commune'] }),
  query: text(2_000, { description: 'The filters as in an address', examples: ['reported=true'] }),
  role: Type.Optional(nullable(role)),
})
export type ViewCreate = Static<typeof ViewCreate>

/** Only the owner of a view can delete it. */
export const viewActions = { delete: ({ mine }: { mine: boolean }) => mine }

export const View = titled('SavedView', {
  id: Id(),
  list,
  name: Type.String({ examples: ['Signalées de ma commune'] }),
  query: Type.String({ examples: ['reported=true'] }),
  role: nullable(role),
  mine: Type.Boolean({ description: 'False for a colleague’s shared view', examples: [true] }),
  created_at: ResponseTimestamp(),
  can: Can(viewActions),
})
/** A view as selected from the database. */
export type View = Omit<Static<typeof View>, 'can'>

export const ViewsQuery = Type.Object({ list: Type.Optional(list) })
export const ById = Type.Object({ id: Id() })
