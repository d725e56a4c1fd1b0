import Type, { type Static } from 'typebox'
import { idsQuery, listQuery, several, sortQuery } from '../../platform/http/listing/paging.ts'
import {
  filledText,
  Id,
  NullableUserName,
  named,
  nullable,
  oneOf,
  ResponseTimestamp,
  Timestamp,
  text,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'

export const AuditQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['at'], 'at_desc'),
  ids: idsQuery,
  q: Type.Optional(
    filledText(200, {
      description:
        'Words of an action or of its sentence, the identifier of a record, or the beginning of a word of a name: of a person (what they did, and what was done to their account), of a record, or of an acteur (what concerns it). Of more than 500 people or records, the newest are searched (`meta.names_cut`); of records none where the text is part of a sentence',
      examples: ['martin'],
    }),
  ),
  entity: several(text(100, { examples: ['commune'] }), 'Of one of these kinds of record'),
  entity_id: Type.Optional(text(200, { description: 'Identifier of the record' })),
  user_id: Type.Optional(Id('Who did it')),
  acteur_id: Type.Optional(
    Id(
      'What concerns this acteur, and those merged into it: its page, team, publications, alerts and claims, and the commune of which it was the mairie. Entries of earlier versions are not found by it',
    ),
  ),
  action: several(text(100, { examples: ['commune.update'] }), 'One of these actions'),
  request_id: Type.Optional(text(200, { description: 'Of one request, by its `X-Request-Id`' })),
  since: Type.Optional(Timestamp('From this moment on')),
  until: Type.Optional(Timestamp('Before this moment')),
})
export type AuditQuery = Static<typeof AuditQuery>

export const namesCut = Type.Optional(
  Type.Boolean({
    description:
      'True if more people or records have the name in `q` than are searched: the entries of the newest are listed. Absent: of all',
  }),
)

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
  app_source: textOrNull('backoffice'),
  request_id: textOrNull('0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'),
  acteur_id: nullable(
    Id('The acteur that it concerns; null for none, several, or an entry of an earlier version'),
  ),
})
export const storedAudit = Stored.properties

/** An acteur that was deleted for good has no name. */
const NamedActeur = nullable(named('AuditActeur', 'Mairie de Chambéry'))

/** An entry as it is read from the database. */
const Selected = Type.Object({ ...storedAudit, user: NullableUserName, acteur: NamedActeur })
export type SelectedAudit = Static<typeof Selected>

const AnyValue = (description: string, example: unknown) =>
  Type.Unsafe<unknown>({ description, examples: [example] })

export const AuditChange = titled('AuditChange', {
  field: Type.String({ examples: ['moderation_status'] }),
  label: Type.String({ description: 'The field in the language of the caller', examples: ['État'] }),
  before: AnyValue('Null if it had no value', 'pending'),
  after: AnyValue('Null if it has no value', 'published'),
  before_name: textOrNull(
    'Boule des Accoules',
    'Name of the record that `before` refers to; null if it refers to none that the caller may open',
  ),
  after_name: textOrNull('Boule des Accoules', 'As `before_name`, of `after`'),
  personal: Type.Boolean({
    description: 'The audit log stores no value of this field: it is about a person',
    examples: [false],
  }),
})
export type AuditChange = Static<typeof AuditChange>

export const AuditRow = titled('AuditRow', {
  ...storedAudit,
  user: NullableUserName,
  acteur: NamedActeur,
  summary: Type.String({
    description: 'Who did what to which record, in the language of the caller',
    examples: ['Zoé Martin published the publication “Fête de la pomme”'],
  }),
  name: textOrNull(
    'Fête de la pomme',
    'Name of the record; null if it is unknown or the caller may not open it',
  ),
  changes: Type.Array(AuditChange, { description: 'Field by field, from `before` and `after`' }),
})
export type AuditRow = Static<typeof AuditRow>

export const Seals = titled('Seals', {
  sealing: Type.Boolean({
    description: 'Whether this instance seals the log: it has a key (`AUDIT_KEY`)',
    examples: [true],
  }),
  sealed_until: nullable(ResponseTimestamp('Time of the last entry that a seal covers')),
  unsealed_since: nullable(ResponseTimestamp('Time of the oldest entry without a seal; null: all have one')),
  entries: Type.Integer({ description: 'Number of entries that the seals cover', examples: [1200] }),
  last_seal: nullable(
    titled('LastSeal', { number: Type.Integer({ examples: [42] }), sealed_at: ResponseTimestamp() }),
  ),
  faults: titled('SealFaults', {
    total: Type.Integer({ description: 'Number of seals that were forged or altered', examples: [0] }),
    newest: Type.Array(
      titled('SealFault', {
        number: Type.Integer({ examples: [42] }),
        found_at: ResponseTimestamp(),
        reason: oneOf(['altered', 'unknown_key'], 'Why the seal is not valid'),
      }),
      { description: 'The newest twenty' },
    ),
  }),
  last_verification: nullable(
    titled('Verification', {
      at: ResponseTimestamp('When the whole log was last verified, by `npm run audit -- verify`'),
      seals: Type.Integer({ examples: [42] }),
      rows: Type.Integer({ examples: [1200] }),
      faults: Type.Integer({ description: '0: the log is as it was sealed', examples: [0] }),
    }),
  ),
  keys: Type.Array(
    titled('SealingKey', {
      key_id: Type.String({ examples: ['3f2a9c01'] }),
      first_seal: Type.Integer({ examples: [1] }),
      since: ResponseTimestamp('Time of its first seal'),
      last_seal: Type.Integer({ examples: [42] }),
      until: ResponseTimestamp('Time of its last seal'),
      known: Type.Boolean({ description: 'Whether this instance has the key', examples: [true] }),
    }),
    {
      description:
        'Keys that made seals, newest first, at most a hundred: a second one means that the key or the format of seals changed',
    },
  ),
})
export type Seals = Static<typeof Seals>
