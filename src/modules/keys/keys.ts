import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { type SignedIn, scopes } from '../../platform/access/caller.ts'
import { digestOfKey, newKey } from '../../platform/access/keys.ts'
import { isMember } from '../../platform/access/rules.ts'
import { change, create, type RecordKind } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflictOf, invalid, notFound, raise } from '../../platform/errors.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import {
  filledLine,
  Id,
  nullable,
  oneOf,
  ResponseTimestamp,
  strictObject,
  Timestamp,
  titled,
} from '../../platform/http/validation/schemas.ts'
import { codePattern } from '../reference/app-sources.ts'

const scopeList = Type.Array(oneOf(scopes), {
  minItems: 1,
  maxItems: scopes.length,
  uniqueItems: true,
  description: 'What the key opens, never more than its owner may do at the time of the request',
  examples: [['publication.read', 'publication.write']],
})
const appSource = Type.String({
  pattern: codePattern,
  description: 'The only application (`X-App-Source`) that the key may name',
  examples: ['public'],
})

export const KeyCreate = strictObject({
  name: filledLine(100, { examples: ['Site de la mairie'] }),
  scopes: scopeList,
  acteur_id: Type.Optional(nullable(Id('The one acteur that the key acts for'))),
  commune_id: Type.Optional(
    nullable(Id('The commune for whose acteurs the key acts, in place of one acteur: those of its owner')),
  ),
  app_source: Type.Optional(nullable(appSource)),
  expires_at: Type.Optional(Timestamp('At most one year from now, which is the default')),
})
type KeyCreate = Static<typeof KeyCreate>

const fields = {
  id: Id(),
  name: Type.String({ examples: ['Site de la mairie'] }),
  scopes: scopeList,
  acteur_id: nullable(Id('The one acteur that the key acts for')),
  commune_id: nullable(
    Id('The commune for whose acteurs the key acts; null, as `acteur_id`: whatever its owner may do'),
  ),
  app_source: nullable(appSource),
  network: nullable(
    Type.String({ description: 'Where it was last used from, as a /24 or /48', examples: ['192.0.2.0/24'] }),
  ),
  last_used_at: nullable(ResponseTimestamp('To within five minutes')),
  created_at: ResponseTimestamp(),
  expires_at: ResponseTimestamp(),
  former_until: nullable(ResponseTimestamp('Until when the key from before the last rotation is valid')),
  version: Type.Integer({ examples: [1] }),
}
export const AccessKey = titled('AccessKey', fields)
export type AccessKey = Static<typeof AccessKey>
export const NewAccessKey = titled('NewAccessKey', {
  ...fields,
  key: Type.String({
    description: 'Shown once: only its digest is stored',
    examples: [`pvs_${'0'.repeat(56)}`],
  }),
})
type NewAccessKey = Static<typeof NewAccessKey>

export const KeyById = Type.Object({ id: Id() })
export const UsersKey = Type.Object({ userId: Id(), id: Id() })

const columns = sql`id, name, scopes, acteur_id, commune_id, app_source, network, last_used_at, created_at, expires_at, former_until,
  version`

/** More keys than a person needs, and few enough for a list without pages. */
export const maxKeys = 20

const isLive = sql<boolean>`ended_at is null and expires_at > now()`

/** Lists the live keys of a user, newest first. */
export async function listKeys(db: Database, userId: string): Promise<AccessKey[]> {
  const { rows } = await sql<AccessKey>`
    select ${columns} from access_keys where user_id = ${userId} and ${isLive}
    order by id desc limit ${maxKeys}`.execute(db)
  return rows
}

type Values = { digest?: Buffer; ends?: true }

/** The live keys of a user as an audited record. */
const keyOf = (userId: string) =>
  ({
    entity: 'access_key',
    personal: ['name', 'network'],
    async lock(tx, id) {
      const { rows } = await sql<AccessKey>`
        select ${columns} from access_keys where id = ${id} and user_id = ${userId} and ${isLive}
        for no key update`.execute(tx)
      return rows[0] ?? raise(notFound())
    },
    async write(tx, { id }, { digest, ends }) {
      const values = ends
        ? sql`ended_at = now()`
        : sql`former_digest = digest, former_until = now() + interval '1 day', digest = ${digest}`
      const { rows } = await sql<AccessKey>`
        update access_keys set ${values} where id = ${id} returning ${columns}`.execute(tx)
      return rows[0] ?? raise(notFound())
    },
    auditedValues: ({ last_used_at: _, network: __, ...values }) => ({ ...values, user_id: userId }),
  }) satisfies RecordKind<AccessKey, Values>

export const auditedKey = keyOf('')

/**
 * Makes a key and returns it, once: a retry makes another, because its response is stored nowhere. Refuses what its owner
 * could not use.
 */
export async function makeKey(
  db: Database,
  caller: SignedIn,
  asked: KeyCreate,
  now: Date,
): Promise<NewAccessKey> {
  const { user } = caller
  const { name, scopes, acteur_id = null, commune_id = null, app_source = null, expires_at } = asked
  requireUsable(user, { scopes, acteur_id, commune_id })
  const expires = expires_at === undefined ? new Date(now.getTime() + yearMs) : new Date(expires_at)
  if (expires <= now || expires.getTime() > now.getTime() + yearMs) throw invalid('expires_at', withinYear)
  const key = newKey()
  const authorise = async (tx: Database) => {
    if (app_source !== null) await requireApplication(tx, app_source)
    if (commune_id !== null) await requireCommune(tx, user, commune_id)
    await requireRoom(tx, user.id)
  }
  const row = await create(
    db,
    { ...caller, repeat: null },
    keyOf(user.id),
    { action: 'access_key.create', authorise },
    async (tx) => {
      const { rows } = await sql<AccessKey>`
      insert into access_keys (id, user_id, acteur_id, commune_id, name, scopes, app_source, digest, expires_at)
      values (${uuidv7()}, ${user.id}, ${acteur_id}, ${commune_id}, ${name.trim()}, ${scopes}, ${app_source}, ${digestOfKey(key)}, ${expires})
      returning ${columns}`.execute(tx)
      return rows[0] ?? raise(notFound())
    },
  )
  return { ...row, key }
}

const yearMs = 365 * 86_400_000

type Reach = { scopes: KeyCreate['scopes']; acteur_id: string | null; commune_id: string | null }

function requireUsable(user: SignedIn['user'], { scopes, acteur_id, commune_id }: Reach) {
  const isForOffice = scopes.some((scope) => scope.startsWith('office.'))
  if (acteur_id !== null && commune_id !== null) throw invalid('commune_id', onePlace)
  if (acteur_id !== null && !isMember(user, acteur_id)) throw invalid('acteur_id', notYours)
  const isOfSome = acteur_id !== null || commune_id !== null
  if (isOfSome && (isForOffice || scopes.includes('own.read'))) throw invalid('scopes', notOfActeur)
  if (isForOffice && user.roles.length === 0) throw invalid('scopes', withoutRole)
}

async function requireCommune(tx: Database, user: SignedIn['user'], id: string): Promise<void> {
  const own = user.memberships.map(({ acteurId }) => acteurId)
  const { rows } = await sql`
    select from acteurs where commune_id = ${id} and id = any(${own}::uuid[]) limit 1`.execute(tx)
  if (rows.length === 0) throw invalid('commune_id', withoutActeur)
}

const onePlace = { en: 'must not stand beside acteur_id', fr: 'exclut acteur_id' }
const withoutActeur = {
  en: 'must be the commune of an acteur of yours',
  fr: 'doit être la commune de l’un de vos acteurs',
}
const notYours = { en: 'must be an acteur of yours', fr: 'doit être l’un de vos acteurs' }
const notOfActeur = {
  en: 'must not contain own.read or office scopes for a key of an acteur or a commune',
  fr: 'ne doit contenir ni own.read ni portée office pour la clé d’un acteur ou d’une commune',
}
const withoutRole = {
  en: 'contains an office scope, which needs a role',
  fr: 'contient une portée office, qui demande un rôle',
}
const withinYear = { en: 'must be within a year from now', fr: 'doit être dans l’année qui vient' }

async function requireApplication(tx: Database, code: string): Promise<void> {
  const { rows } = await sql`select from app_sources where code = ${code} and active`.execute(tx)
  if (rows.length === 0) throw invalid('app_source', unknownApplication)
}
const unknownApplication = { en: 'must be an active application', fr: 'doit être une application active' }

/** Locks the user, so that concurrent requests count each other's keys; 409 above the limit. */
async function requireRoom(tx: Database, userId: string): Promise<void> {
  await sql`select from users where id = ${userId} for no key update`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from access_keys where user_id = ${userId} and ${isLive}`.execute(tx)
  if ((rows[0]?.count ?? 0) >= maxKeys) throw conflictOf(tooMany)
}

const tooMany = {
  en: `You have ${maxKeys} keys: revoke one first.`,
  fr: `Vous avez ${maxKeys} clés : révoquez-en une d’abord.`,
}

/** Replaces a key; the former one stays valid for a day, so that programs can change one after the other. */
export async function rotateKey(db: Database, caller: SignedIn, id: string): Promise<NewAccessKey> {
  const key = newKey()
  const row = await change(
    db,
    caller,
    keyOf(caller.user.id),
    { id, action: 'access_key.rotate' },
    (_tx, _before, save) => save({ digest: digestOfKey(key) }, { after: { rotated: true } }),
  )
  return { ...row, key }
}

/** Ends a key of a user at once, with the one from before its rotation. */
export const endKey = (db: Database, caller: SignedIn, userId: string, id: string): Promise<AccessKey> =>
  change(db, caller, keyOf(userId), { id, action: 'access_key.end' }, (_tx, _before, save) =>
    save({ ends: true }, { after: { ended: true } }),
  )
