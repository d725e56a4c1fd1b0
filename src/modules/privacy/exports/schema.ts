import Type, { type Static } from 'typebox'
import {
  Can,
  Id,
  NullableUserName,
  nullable,
  oneOf,
  ResponseTimestamp,
  textOrNull,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import { personFields } from '../schema.ts'

export const ById = Type.Object({ id: Id() })

const StoredExport = Type.Object({
  id: Id(),
  ...personFields,
  requested_by: Id('Who requested it'),
  status: oneOf(
    ['queued', 'running', 'ready', 'fetched', 'failed'],
    '`fetched`: it was downloaded, and its content is deleted',
  ),
  sections: Type.Integer({ description: 'Kinds of data', examples: [18] }),
  sections_done: Type.Integer({ description: 'Kinds of data that are written', examples: [5] }),
  bytes: nullable(
    Type.Integer({ description: 'Size of the file; null until it is ready', examples: [48_213] }),
  ),
  error: nullable(
    oneOf(['too_large', 'failed'], '`too_large`: beyond 256 MiB, which only `npm run privacy` exports'),
  ),
  created_at: ResponseTimestamp(),
  ready_at: nullable(ResponseTimestamp()),
  fetched_at: nullable(ResponseTimestamp()),
  expires_at: ResponseTimestamp('When it is deleted'),
})
export type ExportRow = Static<typeof StoredExport>
export const storedExport = StoredExport.properties

/** The actions in `can`, each with its condition. */
export const exportActions = {
  download: ({ status }: Pick<ExportRow, 'status'>) => status === 'ready',
}

export const PersonExport = titled('PersonExport', {
  ...storedExport,
  requested_by_user: NullableUserName,
  url: textOrNull(
    '/api/v1/admin/people/exports/0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e/download',
    'POST here once within 24 hours to download it; null unless it is ready',
  ),
  can: Can(exportActions),
})
export type PersonExport = Static<typeof PersonExport>
