import Type, { type Static } from 'typebox'
import { idsQuery, several, sortQuery } from '../../platform/http/lists.ts'
import { listQuery } from '../../platform/http/paging.ts'
import {
  Id,
  NullableUserName,
  nullable,
  ResponseTimestamp,
  Timestamp,
  text,
} from '../../platform/http/schemas.ts'

export const AuditQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['at'], 'at_desc'),
  ids: idsQuery,
  entity: several(text(100, { examples: ['commune'] }), 'Of one of these kinds of record'),
  entity_id: Type.Optional(text(200, { description: 'Identifier of the record' })),
  user_id: Type.Optional(Id('Who did it')),
  action: several(text(100, { examples: ['commune.update'] }), 'One of these actions'),
  since: Type.Optional(Timestamp('From this moment on')),
  until: Type.Optional(Timestamp('Before this moment')),
})
export type AuditQuery = Static<typeof AuditQuery>

const Values = nullable(
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    examples: [{ population: 512 }],
  }),
)

const Stored = Type.Object({
  id: Id(),
  at: ResponseTimestamp(),
  user_id: nullable(Id('Who did it; null for a command, a job, or somebody not signed in')),
  action: Type.String({ examples: ['commune.update'] }),
  entity: Type.String({ examples: ['commune'] }),
  entity_id: Type.String({ examples: ['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'] }),
  before: Values,
  after: Values,
  app_source: nullable(Type.String({ examples: ['backoffice'] })),
  request_id: nullable(Type.String({ examples: ['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'] })),
})
export const storedAudit = Stored.properties

export const AuditRow = Type.Object({ ...storedAudit, user: NullableUserName }, { title: 'AuditRow' })
export type AuditRow = Static<typeof AuditRow>
