import { createSign, generateKeyPairSync, hash, type KeyObject, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { sessionKey } from '../../../test/support/factories.ts'
import { secretBox } from '../../platform/access/secret-box.ts'
import type { Database } from '../../platform/database/connect.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { mailSecrets } from './email/secrets.ts'
import { newChallenge } from './factors/passkeys.ts'
import { newTotpSecret } from './factors/totp.ts'

export const secrets = mailSecrets([sessionKey])
const origin = 'http://localhost:3000'

/** Returns link token and code of the newest mailed challenge, derived as in the job. */
export async function newestMail(db: Database): Promise<{ id: string; token: string; code: string }> {
  const { rows } = await sql<{ id: string }>`
    select id from email_challenges order by id desc limit 1`.execute(db)
  const id = rows[0]?.id ?? ''
  return { id, token: secrets.linkToken(id), code: secrets.code(id) }
}

/** Returns the code that an authenticator app shows at `at`. */
export const totpOf = (base32: string, at = Date.now()): string =>
  new TOTP({ secret: Secret.fromBase32(base32) }).generate({ timestamp: at })

/** Gives a user an authenticator app, in place of an earlier one. Returns its secret. */
export async function putTotp(db: Database, userId: string, { pending = false } = {}): Promise<string> {
  const base32 = newTotpSecret()
  const sealed = secretBox([sessionKey], 'second factors').seal(base32, userId)
  const values = pending
    ? { pending_secret: sealed, secret: null, confirmed_at: null }
    : { pending_secret: null, secret: sealed, confirmed_at: new Date() }
  await db.deleteFrom('totp_factors').where('user_id', '=', userId).execute()
  await db
    .insertInto('totp_factors')
    .values({ user_id: userId, ...values })
    .execute()
  return base32
}

type SoftPasskey = { credentialId: Buffer; privateKey: KeyObject; publicKey: Buffer }

/** Gives a user a passkey. */
export async function putPasskey(db: Database, userId: string): Promise<SoftPasskey & { id: string }> {
  const made = newPasskey()
  const id = uuidv7()
  await db
    .insertInto('passkeys')
    .values({
      id,
      user_id: userId,
      credential_id: made.credentialId.toString('base64url'),
      public_key: made.publicKey,
      counter: 0,
      label: 'Téléphone',
    })
    .execute()
  return { id, ...made }
}

type SignOptions = {
  userId?: string | null
  challenge?: string
  origin?: string
  counter?: number
  verified?: boolean
}

/** A software authenticator: behaves like a security key unless the options make it return wrong data. */
export const softAuthenticator = {
  async register(userId: string, options: SignOptions = {}) {
    const { credentialId, publicKey } = newPasskey()
    const purpose = 'registration' as const
    const clientData = clientDataOf('webauthn.create', challengeOf(options, { userId, purpose }), options)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(credentialId.length)
    const data = Buffer.concat([authDataOf(0x41, options), Buffer.alloc(16), length, credentialId, publicKey])
    const attestation = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(data)],
    ])
    return {
      ...named(credentialId),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    }
  },
  async signIn({ credentialId, privateKey }: SoftPasskey, options: SignOptions = {}) {
    const of = { userId: options.userId ?? null, purpose: 'authentication' as const }
    const clientData = clientDataOf('webauthn.get', challengeOf(options, of), options)
    const data = authDataOf(0x01, options)
    const signed = Buffer.concat([data, hash('sha256', clientData, 'buffer')])
    return {
      ...named(credentialId),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
        userHandle: null,
      },
    }
  },
}

const named = (credentialId: Buffer) => {
  const id = credentialId.toString('base64url')
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {} }
}

const challengeOf = ({ challenge }: SignOptions, of: Parameters<typeof newChallenge>[1]) =>
  challenge ?? Buffer.from(newChallenge([sessionKey], of, new Date())).toString('base64url')

const clientDataOf = (type: string, challenge: string, { origin: from = origin }: SignOptions) =>
  Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))

function authDataOf(flags: number, { counter = 0, verified = true }: SignOptions): Buffer {
  const tail = Buffer.alloc(5)
  tail.writeUInt8(flags | (verified ? 0x04 : 0))
  tail.writeUInt32BE(counter, 1)
  return Buffer.concat([hash('sha256', 'localhost', 'buffer'), tail])
}

function newPasskey(): SoftPasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = cborMap([
    [Buffer.from([0x01]), Buffer.from([0x02])],
    [Buffer.from([0x03]), Buffer.from([0x26])],
    [Buffer.from([0x20]), Buffer.from([0x01])],
    [Buffer.from([0x21]), cborBytes(Buffer.from(x, 'base64url'))],
    [Buffer.from([0x22]), cborBytes(Buffer.from(y, 'base64url'))],
  ])
  return { credentialId: randomBytes(16), privateKey, publicKey: cose }
}

/** Encodes the subset of CBOR that an authenticator writes. */
const cborMap = (entries: [Buffer, Buffer][]) =>
  Buffer.concat([Buffer.from([0xa0 + entries.length]), ...entries.flat()])
const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
const cborBytes = (bytes: Buffer) =>
  bytes.length < 256
    ? Buffer.concat([Buffer.from([0x58, bytes.length]), bytes])
    : Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 0xff]), bytes])
