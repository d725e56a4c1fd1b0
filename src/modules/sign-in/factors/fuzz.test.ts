import { expect, test } from 'vitest'
import { createBrowser } from '../../../../test/support/browser-client.ts'
import { fc, propertyRuns } from '../../../../test/support/fast-check.ts'
import { openSession } from '../../../../test/support/sessions.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { newestMail, putPasskey, softAuthenticator } from '../sign-in.test-kit.ts'

/*
 * Authenticators send binary data within JSON within base64url, so nearly valid bodies reach each decoder. Only
 * documented refusals may be returned, and no damaged body may sign in.
 */

const numRuns = propertyRuns()

const { db, client, user } = await openWorld()
const person = await user()
const passkey = await putPasskey(db, person.id)

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const json = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '').toString('base64url')

/** In place of a field: noise, texts that are no base64url, and JSON and CBOR of the wrong shape. */
const strange: fc.Arbitrary<unknown> = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map(base64url),
  fc.string({ maxLength: 80 }),
  fc.anything({ maxDepth: 2 }).map(json),
  fc.record({ type: fc.string(), challenge: fc.anything({ maxDepth: 1 }), origin: fc.anything() }).map(json),
  // CBOR arrays, maps and texts that announce more than they contain.
  fc.constantFrom(
    '',
    'n',
    'vw',
    'u__________8',
    'm__________8',
    'e__________8',
    '-A',
    'oWFh',
    null,
    1,
    [],
    {},
  ),
)
/** Changes a byte or truncates the end. */
type Damage = { at: number; by: number; cut: boolean }
const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(400),
  by: fc.integer({ min: 1, max: 255 }),
  cut: fc.boolean(),
})
const changes = fc.record({
  field: fc.nat(5),
  how: fc.oneof(
    strange.map((value) => ({ value })),
    damage,
  ),
})
type Change = typeof changes extends fc.Arbitrary<infer Type> ? Type : never

function damaged(text: string, { at, by, cut }: Damage): string {
  const bytes = Buffer.from(text, 'base64url')
  const place = bytes.length === 0 ? 0 : at % bytes.length
  if (cut) return base64url(bytes.subarray(0, place))
  bytes[place] = (bytes[place] ?? 0) ^ by
  return base64url(bytes)
}

/** Returns the body with one field changed; null if the change made no difference. */
function spoil(body: { response: object }, { field, how }: Change) {
  const names = [...Object.keys(body.response), 'id', 'rawId']
  const name = names[field % names.length] ?? 'id'
  const isOuter = name === 'id' || name === 'rawId'
  const before = Reflect.get(isOuter ? body : body.response, name)
  const after = 'value' in how ? how.value : typeof before === 'string' ? damaged(before, how) : 'AAAA'
  if (after === before) return null
  return isOuter ? { ...body, [name]: after } : { ...body, response: { ...body.response, [name]: after } }
}

const refusals = [401, 403, 404, 409, 422]

test('no damaged or forged assertion signs in or returns 500', async () => {
  await fc.assert(
    fc.asyncProperty(changes, async (change) => {
      const spoilt = spoil(await softAuthenticator.signIn(passkey), change)
      if (spoilt === null) return
      const answer = await createBrowser(client).post('/auth/passkey/verify', { passkey: spoilt })
      // Only unsigned fields that the service does not read may differ in an accepted body.
      if (answer.status === 200) expect(['rawId', 'userHandle']).toContain(fieldOf(change))
      else expect(refusals).toContain(answer.status)
    }),
    { numRuns },
  )
})

/** By the order of the fields of an assertion. */
const fieldOf = ({ field }: Change) =>
  ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle', 'id', 'rawId'][field % 6]

test('no damaged or forged second factor, confirmation or registration returns 500', async () => {
  const { value } = await openSession(db, person.id, { hasShownFactor: true })
  await fc.assert(
    fc.asyncProperty(changes, changes, async (first, second) => {
      const within = createBrowser(client, {}, new Map([['parvis_session', value]]))
      const made = spoil(await softAuthenticator.register(person.id), first)
      const shown = spoil(await softAuthenticator.signIn(passkey, { userId: person.id }), second)
      const answers = [
        await within.post('/me/passkeys', { passkey: made, label: 'Téléphone' }),
        await within.post('/auth/confirm', { passkey: shown }),
      ]
      for (const { status } of answers) expect([200, ...refusals]).toContain(status)
      // Five refusals in a row would end the session.
      await db.updateTable('sessions').set({ failures: 0 }).where('failures', '>', 0).execute()
    }),
    { numRuns },
  )
  await createBrowser(client).post('/auth/email', { email: person.email })
  const who = createBrowser(client)
  await who.post('/auth/email', { email: person.email })
  const { code } = await newestMail(db)
  expect((await who.post('/auth/email/verify', { code })).body.data.status).toBe('second_factor')
  await fc.assert(
    fc.asyncProperty(changes, async (change) => {
      const shown = spoil(await softAuthenticator.signIn(passkey, { userId: person.id }), change)
      const { status } = await who.copy().post('/auth/second-factor', { passkey: shown })
      expect([200, ...refusals]).toContain(status)
      await db.updateTable('sessions').set({ failures: 0 }).where('failures', '>', 0).execute()
    }),
    { numRuns: propertyRuns(1 / 4) },
  )
})
