import type { Static } from 'typebox'
import {
  Id,
  NullableUserName,
  nullable,
  oneOf,
  ResponseTimestamp,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { Publication } from '../schema.ts'

export const PublicationVersion = titled('PublicationVersion', {
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
})
export type PublicationVersion = Static<typeof PublicationVersion>
