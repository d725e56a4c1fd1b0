import Type, { type Static } from 'typebox'
import {
  Id,
  NullableUserName,
  nullable,
  oneOf,
  ResponseTimestamp,
} from '../../../platform/http/validation/schemas.ts'
import { Publication } from '../schema.ts'

export const PublicationVersion = Type.Object(
  {
    id: Id(),
    title: Publication.properties.title,
    body: Publication.properties.body,
    written_by: nullable(Id('Null: an import, or unknown')),
    written_by_user: NullableUserName,
    written_at: ResponseTimestamp(),
    how: oneOf(
      ['created', 'edited', 'corrected', 'imported'],
      '`edited`: by its author. `corrected`: by a moderator. `imported`: changed at the source',
    ),
  },
  { title: 'PublicationVersion' },
)
export type PublicationVersion = Static<typeof PublicationVersion>
