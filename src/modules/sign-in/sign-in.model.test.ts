import { expect, test } from 'vitest'
import { type Browser, createBrowser } from '../../../test/support/browser-client.ts'
import { fc, propertyRuns } from '../../../test/support/fast-check.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { digestOfValue } from '../../platform/access/cookies.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { digestOfCode, newRecoveryCodes } from './factors/recovery-codes.ts'
import { openLiar } from './oidc/lying-provider.test-kit.ts'
import { createVisitor, goesOnTo, publicUrl } from './oidc/visitor.test-kit.ts'
import { newestMail, putPasskey, softAuthenticator, totpOf } from './sign-in.test-kit.ts'

/*
 * Random actions of users and administrators on two instances of one database, compared with a small model: the user
 * and status of each session. After each action, every cookie value that was ever set is tested on both instances.
 * No unexpected session is accepted, and no ended session gets a 200.
 */

const provider = await openLiar()
const env = { SECOND_FACTOR: 'admin', ...provider.env }
const one = await openWorld({ env, keeps: true })
const two = await openWorld({ env, keeps: true, database: one.database })
const { db } = one
const admin = await one.as('admin')

type Status = 'second_factor' | 'enrolment' | 'signed_in'
type Session = {
  account: number
  shown: boolean
  /** Within ten minutes of signing in, or of a confirmation. */
  confirmed: boolean
  values: Map<string, 'current' | 'former'>
  over: boolean
}
type Mail = { account: number; token: string; code: string; asker: number; open: boolean }
type Account = {
  id: string
  email: string
  /** Its subject at the identity provider, whose accounts get no mail; null: a local account. */
  subject: string | null
  enabled: boolean
  isAdmin: boolean
  app: string | null
  passkey: Awaited<ReturnType<typeof putPasskey>> | null
  /** The last accepted time step of the authenticator app. */
  step: number
  signatures: number
  codes: string[]
  usedCodes: string[]
}

/** The last account belongs to the identity provider. */
const accounts = 3
const browsers = 3

type Deed =
  | 'enter'
  | 'ask'
  | 'leave'
  | 'enrol'
  | 'showCode'
  | 'repeatCode'
  | 'confirm'
  | 'passkey'
  | 'provider'
  | 'action'
  | 'makeCodes'
  | 'recover'
  | 'repeatRecovery'
  | 'lapse'

type Event =
  | {
      do: Deed
      browser: number
      account: number
    }
  | { do: 'verify'; browser: number; mail: number; by: 'token' | 'code' }
  | { do: 'disable' | 'enable' | 'revoke' | 'reset' | 'grant' | 'take' | 'signOut'; account: number }
  | { do: 'expire'; session: number }

const index = (count: number) => fc.nat(count - 1)
const events: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'enter',
        'enter',
        'enter',
        'ask',
        'leave',
        'enrol',
        'showCode',
        'repeatCode',
        'confirm',
        'passkey',
        'provider',
        'provider',
        'action',
        'makeCodes',
        'recover',
        'repeatRecovery',
        'lapse',
      ),
      browser: index(browsers),
      account: index(accounts),
    }) as fc.Arbitrary<Event>,
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('verify' as const),
      browser: index(browsers),
      mail: fc.nat(3),
      by: fc.constantFrom('token' as const, 'code' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('disable', 'enable', 'revoke', 'reset', 'grant', 'take', 'signOut'),
      account: index(accounts),
    }) as fc.Arbitrary<Event>,
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expire' as const), session: fc.nat(3) }) },
)

/** A step for the service, with the model's prediction. */
class History {
  readonly accounts: Account[] = []
  readonly browsers: Browser[] = []
  readonly sessions: Session[] = []
  readonly mails: Mail[] = []

  async begin() {
    for (let n = 0; n < accounts; n++) {
      const subject = n === accounts - 1 ? uuidv7() : null
      const { id, email } = await one.user(subject === null ? {} : { issuer: provider.issuer, subject })
      const made = {
        id,
        email: email ?? '',
        subject,
        enabled: true,
        isAdmin: false,
        app: null,
        passkey: null,
      }
      this.accounts.push({ ...made, step: 0, signatures: 0, codes: [], usedCodes: [] })
    }
    for (let n = 0; n < browsers; n++) this.browsers.push(createBrowser(n % 2 ? two.client : one.client))
  }

  account = (n: number) => this.accounts[n] as Account
  browser = (n: number) => this.browsers[n] as Browser
  valueOf = (n: number) => this.browser(n).cookies.get('parvis_session')
  sessionOf = (value: string | undefined) =>
    this.sessions.find(({ values }) => value !== undefined && values.has(value))

  statusOf({ account, shown, over }: Session): Status | null {
    const { enabled, isAdmin, app, passkey } = this.account(account)
    if (over || !enabled) return null
    if (app !== null || passkey !== null) return shown ? 'signed_in' : 'second_factor'
    return isAdmin ? 'enrolment' : 'signed_in'
  }
  /** Returns the session of a browser, in any status. */
  openOf(n: number) {
    const session = this.sessionOf(this.valueOf(n))
    const status = session && this.statusOf(session)
    return session && status ? { session, status } : null
  }

  async apply(event: Event): Promise<void> {
    if ('browser' in event) await this.inBrowser(event)
    else if (event.do === 'expire') await this.expire(event.session)
    else await this.administer(event)
  }

  private async inBrowser(event: Extract<Event, { browser: number }>): Promise<void> {
    const who = this.browser(event.browser)
    const before = this.openOf(event.browser)
    if (event.do === 'enter') {
      await this.inBrowser({ ...event, do: 'ask' })
      await this.inBrowser({ do: 'verify', browser: event.browser, mail: 0, by: 'code' })
    } else if (event.do === 'ask') {
      const { email, enabled, subject } = this.account(event.account)
      expect((await who.post('/auth/email', { email })).status).toBe(202)
      const { token, code } = await newestMail(db)
      this.mails.push({
        account: event.account,
        token,
        code,
        asker: event.browser,
        open: enabled && subject === null,
      })
    } else if (event.do === 'verify') {
      const mail = this.mails.at(-1 - event.mail)
      if (mail === undefined) return
      const proof = event.by === 'token' ? { token: mail.token } : { code: mail.code }
      const isRight = mail.open && this.account(mail.account).enabled
      const isExpected = isRight && (event.by === 'token' || mail.asker === event.browser)
      const answer = await who.post('/auth/email/verify', proof)
      expect(answer.status, JSON.stringify(event)).toBe(isExpected ? 200 : 401)
      // Five wrong codes void the mails of a browser. The model does not count them, so reset the counter.
      if (!isExpected)
        return void (await db.updateTable('email_challenges').set({ wrong_codes: 0 }).execute())
      mail.open = false
      // The next mail that this browser requests is for a new cookie.
      for (const other of this.mails) if (other.asker === event.browser) other.asker = -1
      if (before !== null) before.session.over = true
      const session = this.enter(event.browser, mail.account, false)
      expect(answer.body.data.status).toBe(this.statusOf(session))
    } else if (event.do === 'leave') {
      await who.post('/auth/logout')
      if (before !== null) before.session.over = true
    } else if (event.do === 'enrol') {
      await this.enrol(event.browser, before)
    } else if (event.do === 'action') {
      const answer = await who.post('/me/passkeys/options')
      this.expectDeed(answer, before, 200)
    } else if (event.do === 'makeCodes') {
      await this.makeCodes(who, before)
    } else if (event.do === 'recover' || event.do === 'repeatRecovery') {
      await this.inBrowser({ ...event, do: 'enter' })
      await this.recover(event.browser, event.do === 'repeatRecovery')
    } else if (event.do === 'lapse') {
      await this.lapse(before)
    } else if (event.do === 'provider') {
      await this.signInAtProvider(event.browser, before)
    } else if (event.do === 'passkey') {
      await this.signInByPasskey(event.browser, event.account, before)
    } else {
      await this.show(event.browser, event.do, before)
    }
  }

  private enter(browser: number, account: number, shown: boolean): Session {
    const session = { account, shown, confirmed: true, values: new Map(), over: false }
    session.values.set(this.valueOf(browser) ?? '', 'current')
    this.sessions.push(session)
    return session
  }

  /** Sets up an authenticator app from any session that may do so. */
  private async enrol(browser: number, before: ReturnType<History['openOf']>): Promise<void> {
    const who = this.browser(browser)
    const begun = await who.post('/me/totp')
    if (!this.expectDeed(begun, before, 200) || before === null) return
    const base32 = begun.body.data.secret
    const { code, step } = this.codeOf(base32)
    expect((await who.post('/me/totp/confirm', { totp: code })).status).toBe(200)
    Object.assign(this.account(before.session.account), { app: base32, step })
    before.session.shown = true
    this.rotate(before.session, browser, null)
  }

  /** Checks the response and effect of a change that requires a confirmation. */
  private expectDeed(answer: { status: number }, before: ReturnType<History['openOf']>, success: number) {
    const may = before !== null && before.status !== 'second_factor'
    const expected = !may ? 401 : before.session.confirmed ? success : 403
    expect(answer.status).toBe(expected)
    return expected === 200
  }

  private async makeCodes(who: Browser, before: ReturnType<History['openOf']>): Promise<void> {
    const answer = await who.post('/me/recovery-codes')
    const account = before && this.account(before.session.account)
    const hasFactor = account !== null && (account.app !== null || account.passkey !== null)
    if (!this.expectDeed(answer, before, hasFactor ? 200 : 409) || account === null || !hasFactor) return
    account.usedCodes.push(...account.codes)
    account.codes = answer.body.data.codes
  }

  /** Inserts recovery codes as the route stores them. */
  private async putCodes(account: Account): Promise<void> {
    account.codes = newRecoveryCodes()
    const rows = account.codes.map((code) => ({
      id: uuidv7(),
      user_id: account.id,
      code_hash: digestOfCode(code),
    }))
    await db.insertInto('recovery_codes').values(rows).execute()
  }

  /** A code completes a sign-in once; a used or replaced one never. */
  private async recover(browser: number, isRepeated: boolean): Promise<void> {
    const before = this.openOf(browser)
    const account = before === null ? null : this.account(before.session.account)
    if (before?.status === 'second_factor' && account?.codes.length === 0) await this.putCodes(account)
    const code = (isRepeated ? account?.usedCodes.at(-1) : account?.codes[0]) ?? 'aaaa-bbbb-cccc-dddd'
    const answer = await this.browser(browser).post('/auth/second-factor', { recovery_code: code })
    const isNew = account?.codes.includes(code) ?? false
    const expected = before === null ? 401 : before.status !== 'second_factor' ? 409 : isNew ? 200 : 401
    expect(answer.status, `recovery code, repeated: ${isRepeated}`).toBe(expected)
    if (answer.status === 401)
      await db.updateTable('sessions').set({ failures: 0 }).where('failures', '>', 0).execute()
    if (expected !== 200 || before === null || account === null) return
    account.codes = account.codes.filter((other) => other !== code)
    account.usedCodes.push(code)
    Object.assign(before.session, { shown: true, confirmed: true })
    this.rotate(before.session, browser, null)
  }

  /** Expires only the confirmation, as after ten minutes. */
  private async lapse(before: ReturnType<History['openOf']>): Promise<void> {
    if (before === null) return
    await this.write(before.session, 'confirmed_until = null')
    before.session.confirmed = false
  }

  private async signInByPasskey(browser: number, account: number, before: ReturnType<History['openOf']>) {
    const owner = this.account(account)
    owner.passkey ??= await putPasskey(db, owner.id)
    const assertion = await softAuthenticator.signIn(owner.passkey, { counter: ++owner.signatures })
    const answer = await this.browser(browser).post('/auth/passkey/verify', { passkey: assertion })
    expect(answer.status).toBe(owner.enabled ? 200 : 401)
    const again = await createBrowser(two.client).post('/auth/passkey/verify', { passkey: assertion })
    expect(again.status).toBe(401)
    if (!owner.enabled) return
    if (before !== null) before.session.over = true
    this.enter(browser, account, true)
  }

  /**
   * Goes to the provider and back, which signs in its account or confirms a session of that account. Each callback
   * works once, also if it is repeated on the other instance.
   */
  private async signInAtProvider(browser: number, before: ReturnType<History['openOf']>): Promise<void> {
    const n = accounts - 1
    const { email, subject, enabled } = this.account(n)
    const who = this.browser(browser)
    const visitor = createVisitor(browser % 2 ? two : one, jarOf(who))
    const back = provider.backFrom(await visitor.start())
    provider.lies = { claims: { sub: subject }, userinfo: { sub: subject, email, email_verified: true } }
    const asked = new Map(visitor.cookies)
    const shown = await visitor.comeBack(back)
    expect(shown.status).toBe(enabled ? 200 : 401)
    const again = createVisitor(browser % 2 ? one : two, new Map([[publicUrl, asked]]))
    expect((await again.comeBack(back)).status).toBe(401)
    if (!enabled) return
    for (const [name, { value }] of visitor.cookies) who.cookies.set(name, value)
    if (before?.session.account === n && before.status !== 'second_factor') {
      before.session.confirmed = true
      this.rotate(before.session, browser, 'former')
      return
    }
    if (before !== null) before.session.over = true
    const status = this.statusOf(this.enter(browser, n, false))
    const step = status === 'signed_in' ? '/backoffice/' : '/backoffice/sign-in?next=%2F'
    expect(goesOnTo(shown)).toBe(step)
  }

  /** Sends a code of the app to complete a sign-in or to confirm: a new one, or the last accepted one. */
  private async show(browser: number, what: string, before: ReturnType<History['openOf']>): Promise<void> {
    if (before === null) return
    const who = this.browser(browser)
    const account = this.account(before.session.account)
    const isPending = before.status === 'second_factor'
    const path = isPending ? '/auth/second-factor' : '/auth/confirm'
    const { code, step } =
      what === 'repeatCode' || account.app === null
        ? {
            code: account.app === null ? '000000' : totpOf(account.app, account.step * 30_000),
            step: account.step,
          }
        : this.codeOf(account.app, account.step)
    const isNew = account.app !== null && step > account.step
    const answer = await who.post(path, { totp: code })
    if (!isNew) {
      expect(answer.status, `${what} ${path}`).toBe(401)
      // Five failures in a row end the session. The model does not count them, so reset the counter.
      await db.updateTable('sessions').set({ failures: 0 }).where('failures', '>', 0).execute()
      return
    }
    // A code too far ahead of the clock is refused and changes nothing.
    if (answer.status === 401) return
    expect(answer.status).toBe(200)
    account.step = step
    const former = isPending ? null : 'former'
    Object.assign(before.session, { shown: true, confirmed: true })
    this.rotate(before.session, browser, former)
  }

  private codeOf(base32: string, after = 0) {
    const now = Math.floor(Date.now() / 30_000)
    const step = Math.max(now, after + 1)
    return { code: totpOf(base32, step * 30_000), step }
  }

  /** Records the new cookie value; the former one stays valid for other tabs only after a confirmation. */
  private rotate(session: Session, browser: number, former: 'former' | null): void {
    const value = this.valueOf(browser) ?? ''
    if (session.values.get(value) === 'current') return
    const before = [...session.values].find(([, state]) => state === 'current')?.[0]
    session.values.clear()
    if (former !== null && before !== undefined) session.values.set(before, former)
    session.values.set(value, 'current')
  }

  private async administer({ do: what, account: n }: { do: string; account: number }): Promise<void> {
    const account = this.account(n)
    const at = `/admin/users/${account.id}`
    const actions: Record<string, () => Promise<{ status: number }>> = {
      disable: () => admin.patch(at, { actif: false }),
      enable: () => admin.patch(at, { actif: true }),
      revoke: () => admin.patch(at, { revoke_tokens: true }),
      reset: () => admin.post(`${at}/factors/reset`),
      grant: () => admin.post(`${at}/roles`, { role: 'admin' }),
      take: () => admin.delete(`${at}/roles/admin`),
      signOut: () => admin.delete(`${at}/sessions`),
    }
    const answer = await actions[what]?.()
    // Also the factors of a disabled account, which may be enabled again.
    expect(answer?.status, what).toBe(200)
    if (what === 'disable') account.enabled = false
    if (what === 'enable') account.enabled = true
    if (what === 'grant') account.isAdmin = true
    if (what === 'take') account.isAdmin = false
    if (what === 'reset') {
      account.usedCodes.push(...account.codes)
      Object.assign(account, { app: null, passkey: null, step: 0, codes: [] })
    }
    if (!['disable', 'revoke', 'reset', 'signOut'].includes(what)) return
    for (const session of this.sessions) if (session.account === n) session.over = true
    for (const mail of this.mails) if (mail.account === n) mail.open = false
    // ID tokens of the next seconds would be refused: act as if these seconds had passed.
    if (account.subject !== null)
      await db.updateTable('users').set({ tokens_valid_from: null }).where('id', '=', account.id).execute()
  }

  private async expire(n: number): Promise<void> {
    const session = this.sessions.at(-1 - n)
    if (session === undefined) return
    await this.write(session, "expires_at = now() - interval '1 ms', confirmed_until = null")
    session.over = true
  }

  /** Simulates the passage of time; the change of these columns notifies both instances. */
  private async write(session: Session, values: string): Promise<void> {
    const value = [...session.values].find(([, state]) => state === 'current')?.[0]
    if (value === undefined) return
    const hash = digestOfValue(value).toString('hex')
    await run(one.database.owner, `update sessions set ${values} where token_hash = '\\x${hash}'`)
    await Promise.all([one.changes?.arrived(), two.changes?.arrived()])
  }

  /** Tests every cookie value that was ever set, on both instances. */
  async check(ever: Set<string>): Promise<void> {
    for (const { cookies } of this.browsers) {
      const value = cookies.get('parvis_session')
      if (value !== undefined) ever.add(value)
    }
    await Promise.all([one.changes?.arrived(), two.changes?.arrived()])
    for (const value of ever) {
      const session = this.sessionOf(value)
      const status = session === undefined ? null : this.statusOf(session)
      const expected = status === 'signed_in' ? 200 : status === 'enrolment' ? 403 : 401
      for (const { client } of [one, two]) {
        const answer = await client({ source: 'backoffice' }).get('/me', {
          headers: { cookie: `parvis_session=${value}` },
        })
        expect(answer.status, `${status}`).toBe(expected)
        if (expected === 200) expect(answer.body.data.id).toBe(this.account(session?.account ?? 0).id)
        if (session?.values.get(value) !== 'former' || expected === 401) continue
        const action = await client({ source: 'backoffice' }).post('/me/passkeys/options', undefined, {
          headers: { cookie: `parvis_session=${value}`, 'sec-fetch-site': 'same-origin' },
        })
        expect(action.status).toBe(403)
      }
    }
  }
}

/** Returns the cookies of a browser as a jar for navigation between pages. */
const jarOf = ({ cookies }: Browser) =>
  new Map([
    [publicUrl, new Map(Array.from(cookies, ([name, value]) => [name, { value, sameSite: 'strict' }]))],
  ])

test('after any sequence of events exactly the expected sessions are valid', async () => {
  const runs = propertyRuns(1 / 20)
  await fc.assert(
    fc.asyncProperty(fc.array(events, { minLength: 15, maxLength: 40, size: 'max' }), async (happening) => {
      const history = new History()
      await history.begin()
      const ever = new Set<string>()
      for (const event of happening) {
        await history.apply(event)
        await history.check(ever)
      }
    }),
    { numRuns: runs },
  )
}, 600_000)
