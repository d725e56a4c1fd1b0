import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { sql } from 'kysely'
import type { SignedIn } from '../../../platform/access/caller.ts'
import type { Session } from '../../../platform/access/sessions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, invalid, notFound, unauthenticated } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import { lockUser } from './queries.ts'
import { raiseWithin, recordFactor, removing } from './rules.ts'

const lifetimeMs = 5 * 60_000

/** User (null before sign-in) and purpose of a challenge. */
type For = { userId: string | null; purpose: 'registration' | 'authentication' }

/** Creates a random challenge that carries its own expiry and a MAC. Stores nothing. */
export function newChallenge(sessionKeys: readonly string[], of: For, now: Date): Uint8Array<ArrayBuffer> {
  const head = Buffer.concat([randomBytes(24), Buffer.alloc(8)])
  head.writeBigUInt64BE(BigInt(now.getTime() + lifetimeMs), 24)
  return new Uint8Array(Buffer.concat([head, macOf(sessionKeys[0] ?? '', head, of)]))
}

/** Returns when a challenge expires; null if this service did not create it for this user and purpose. */
export function readChallenge(sessionKeys: readonly string[], text: string, of: For): Date | null {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== 64 || bytes.toString('base64url') !== text) return null
  const [head, mac] = [bytes.subarray(0, 32), bytes.subarray(32)]
  if (!sessionKeys.some((key) => timingSafeEqual(macOf(key, head, of), mac))) return null
  return new Date(Number(head.readBigUInt64BE(24)))
}

const macOf = (sessionKey: string, head: Buffer, { userId, purpose }: For) =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', sessionKey, '', 'parvis passkey challenges', 32)))
    .update(`${purpose} ${userId ?? ''} `)
    .update(head)
    .digest()

type Tools = Pick<RouteDeps, 'db' | 'config' | 'clock'>
type Purpose = 'registration' | 'authentication'

const maxPasskeys = 20
/** EdDSA, ES256 and RS256. Listed here, because the library would probe Node for more. */
const algorithms = [-8, -7, -257]

/** Loaded on first use: saves a tenth of a second at start. */
const webauthn = () => import('@simplewebauthn/server')

/** Returns the domain that passkeys are bound to; null for a bare IP address, which allows no passkeys. */
export function relyingParty(publicUrl: string): string | null {
  const { hostname } = new URL(publicUrl)
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) ? null : hostname
}

const partyOf = ({ config }: Pick<Tools, 'config'>) => relyingParty(config.publicUrl) ?? refuse()
const refuse = (): never => {
  throw notFound()
}

export async function registrationOptions(tools: Tools, { user }: SignedIn): Promise<object> {
  const { db } = tools
  const rpID = partyOf(tools)
  const name = await findName(db, user.id)
  const { generateRegistrationOptions } = await webauthn()
  return generateRegistrationOptions({
    supportedAlgorithmIDs: algorithms,
    rpName: 'Parvis',
    rpID,
    userName: name,
    userDisplayName: name,
    userID: new Uint8Array(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
    challenge: newChallenge(
      tools.config.sessionKeys,
      { userId: user.id, purpose: 'registration' },
      tools.clock(),
    ),
    attestationType: 'none',
    excludeCredentials: await listCredentials(db, user.id),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Adds a passkey and marks the second factor as shown. Returns the session's new value. */
export async function addPasskey(
  tools: Tools,
  caller: SignedIn,
  { passkey, label }: { passkey: RegistrationResponseJSON; label: string },
  session: Session | null,
): Promise<{ id: string; value: string | null }> {
  const { db, config } = tools
  const rpID = partyOf(tools)
  const userId = caller.user.id
  const challenge = challengeOf(passkey.response.clientDataJSON)
  if (challenge === null || !(await spendChallenge(tools, challenge, [userId], 'registration')))
    throw invalid('passkey', notValid)
  const { verifyRegistrationResponse } = await webauthn()
  const verified = await verifyRegistrationResponse({
    supportedAlgorithmIDs: algorithms,
    response: passkey,
    expectedChallenge: challenge,
    expectedOrigin: config.publicUrl,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => null)
  if (verified === null || !verified.verified) throw invalid('passkey', notValid)
  const { credential } = verified.registrationInfo
  return db.transaction().execute(async (tx) => {
    if ((await lockUser(tx, userId)) === null) throw unauthenticated()
    if ((await listCredentials(tx, userId)).length >= maxPasskeys) throw conflict()
    const id = uuidv7()
    const { rows } = await sql`
      insert into passkeys (id, user_id, credential_id, public_key, counter, transports, label)
      values (${id}, ${userId}, ${credential.id}, ${Buffer.from(credential.publicKey)}, ${credential.counter},
        ${credential.transports ?? []}::text[], ${label})
      on conflict (credential_id) do nothing returning id`.execute(tx)
    if (rows.length === 0) throw conflict()
    await recordFactor(tx, caller, 'user.factor_add', { factor: 'passkey' })
    return { id, value: await raiseWithin(tx, session) }
  })
}

export async function removePasskey(tools: Tools, caller: SignedIn, id: string): Promise<void> {
  await removing(tools, caller, async (tx) => {
    const { numAffectedRows } = await sql`
      delete from passkeys where id = ${id} and user_id = ${caller.user.id}`.execute(tx)
    if (numAffectedRows === 0n) throw notFound()
    return { factor: 'passkey' }
  })
}

/**
 * Returns options for passkeys. For a session they list the passkeys of its user; without one, or to sign in
 * whatever session the browser has, the user chooses among all of the device.
 */
export async function authenticationOptions(tools: Tools, session: Session | null): Promise<object> {
  const { db } = tools
  const rpID = partyOf(tools)
  const userId = session?.user.id ?? null
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID,
    challenge: newChallenge(tools.config.sessionKeys, { userId, purpose: 'authentication' }, tools.clock()),
    userVerification: 'required',
    ...(userId !== null && { allowCredentials: await listCredentials(db, userId) }),
  })
}

type Credential = {
  id: string
  user_id: string
  credential_id: string
  public_key: Buffer
  counter: number
  transports: string[]
}

/**
 * Returns the user whose passkey signed a challenge of this service; else null. A factor of a session must be
 * its user's, and so must the challenge; a sign-in may be anybody's. Uses up the challenge before verifying the
 * signature, so that none works twice.
 */
export async function userOfAssertion(
  tools: Tools,
  response: AuthenticationResponseJSON,
  session: Session | null,
  { signsIn = false } = {},
): Promise<string | null> {
  const { db, config } = tools
  const rpID = partyOf(tools)
  const challenge = challengeOf(response.response.clientDataJSON)
  const userId = session?.user.id ?? null
  const users = signsIn ? [null, userId] : [userId]
  if (challenge === null || !(await spendChallenge(tools, challenge, users, 'authentication'))) return null
  const credential = await findCredential(db, response.id)
  if (credential === null || (!signsIn && credential.user_id !== userId)) return null
  const { verifyAuthenticationResponse } = await webauthn()
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: config.publicUrl,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: {
      id: credential.credential_id,
      publicKey: new Uint8Array(credential.public_key),
      counter: credential.counter,
    },
  }).catch(() => null)
  if (verified === null || !verified.verified) return null
  await sql`
    update passkeys set counter = greatest(counter, ${verified.authenticationInfo.newCounter}), last_used_at = now()
    where id = ${credential.id}`.execute(db)
  return credential.user_id
}

/** Reads the challenge that the authenticator claims to have signed; null if it is unreadable. */
function challengeOf(clientDataJson: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'))
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}

/**
 * Uses up a challenge. False if it was not created for this purpose and one of these users, has expired or is
 * already used. Only the use of a challenge stores a row, not its creation.
 */
async function spendChallenge(
  { db, config, clock }: Tools,
  challenge: string,
  users: readonly (string | null)[],
  purpose: Purpose,
): Promise<boolean> {
  const [expiresAt] = users.flatMap(
    (userId) => readChallenge(config.sessionKeys, challenge, { userId, purpose }) ?? [],
  )
  if (expiresAt === undefined || expiresAt <= clock()) return false
  const { numAffectedRows } = await sql`
    insert into used_passkey_challenges (challenge, expires_at) values (${challenge}, ${expiresAt})
    on conflict (challenge) do nothing`.execute(db)
  return numAffectedRows === 1n
}

async function listCredentials(db: Database, userId: string) {
  const { rows } = await sql<{ id: string; transports: string[] }>`
    select credential_id as id, transports from passkeys where user_id = ${userId} order by id limit 50`.execute(
    db,
  )
  return rows
}

async function findCredential(db: Database, credentialId: string): Promise<Credential | null> {
  const { rows } = await sql<Credential>`
    select id, user_id, credential_id, public_key, counter, transports from passkeys
    where credential_id = ${credentialId}`.execute(db)
  return rows[0] ?? null
}

async function findName(db: Database, userId: string): Promise<string> {
  const { rows } = await sql<{ name: string | null }>`
    select coalesce(email, nom) as name from users where id = ${userId}`.execute(db)
  return rows[0]?.name ?? userId
}

const notValid = { en: 'is not a valid new passkey', fr: 'n’est pas une nouvelle clé d’accès valide' }
