// Not on another PostgreSQL, because other files run its statements too.
import { expect, test, vi } from 'vitest'
import { readMailsHandler } from '../../src/modules/messages/inbox/jobs.ts'
import { createRegistry } from '../../src/platform/http/operation/metrics.ts'
import type { Job } from '../../src/platform/jobs/job.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { jwtSecret } from '../support/factories.ts'
import { callsOfEachModule, openStage } from '../support/route-calls.ts'
import { sampled } from '../support/sample.ts'
import { openWorld, run } from '../support/world.ts'

/** Each is placed where a real secret of its kind would be, and must appear nowhere else. */
const planted = {
  jwtSecret,
  mail: 'planted-mail-password',
  inbox: 'planted-inbox-password',
  signing: 'planted-signing-secret-0123456789',
  provider: 'planted-secret-of-a-client',
  sealing: 'planted-sealing-key-0123456789-0123456789',
  token: 'planted.bearer.token',
  typed: 'planted-typed-by-somebody',
  key: 'planted-idempotency-key',
}

const lines: string[] = []
const answers: string[] = []
const send = globalThis.fetch
vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
  const response = await send(...request)
  // An event stream does not end by itself.
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  answers.push(`${[...response.headers].join()} ${isStream ? '' : await response.clone().text()}`)
  return response
})

const registry = createRegistry()
const world = await openWorld({
  registry,
  log: createLog('trace', { write: (line: string) => void lines.push(line) }),
  env: {
    // Nobody listens there, so sending fails and is reported.
    MAIL_URL: `smtp://parvis:${planted.mail}@127.0.0.1:9`,
    MAIL_INBOX_URL: `imap://parvis%40example.org:${planted.inbox}@127.0.0.1:9`,
    PAYMENT_SIGNING_SECRETS: planted.signing,
    AUDIT_KEY: planted.sealing,
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'parvis',
    OIDC_CLIENT_SECRET: planted.provider,
  },
})
const { database, client, get, post, url } = world

test('no secret appears in logs, responses, metrics, the audit log or the document, after any failure', async () => {
  const stage = await openStage(world)
  const signedIn = (await world.user({ roles: ['admin'] })).token
  await world.runJobs()
  const calls = Object.entries(await callsOfEachModule(stage))
  for (const [name, make] of sampled(calls, 1 / 4, ([name]) => name)) {
    const { by, path, body, headers } = await make()
    const key = { headers: { 'idempotency-key': planted.key, ...headers } }
    await by.client.send(name.split(' ')[0] ?? '', path, body, key)
  }
  const odd = { token: planted.token, headers: { 'idempotency-key': planted.key, cookie: planted.typed } }
  const there = client({ source: 'backoffice', ...odd })
  await there.get(`/admin/users?q=${planted.typed}`)
  await get(`/communes/${planted.typed}?access_token=${planted.token}`)
  await get(`/publications?q=${planted.typed}&page=${planted.token}`)
  await get(`/defibrillateurs?q=12+rue+${planted.typed}+73000`)
  await get('/auth/oidc/start')
  await get(`/auth/oidc/callback?code=${planted.token}&state=${planted.typed}`)
  await post('/claims', `{"message":"${planted.typed}"`)
  await post('/claims', { acteur_id: planted.typed, message: planted.typed })
  await post('/claims', {
    acteur_id: stage.club.id,
    message: 'Bonjour',
    email: `${planted.typed}@example.org`,
  })
  const { job } = readMailsHandler({ ...world, modules: [], clock: () => new Date() })
  await world.jobs.enqueue(world.db, job as Job<object>, {})
  await vi.waitFor(
    () => expect(lines.some((line) => /"level":40.*messages.read-inbox/.test(line))).toBe(true),
    {
      timeout: 60_000,
    },
  )
  await send(`${url}/${planted.typed}?token=${planted.token}`)
  await send(`${url}/docs/openapi.json`).then(async (response) => answers.push(await response.text()))

  // Failing statements quote themselves; a cut connection names its target.
  await run(database.superuser, 'alter table communes rename to elsewhere')
  const broken = await get(`/communes?q=${planted.typed}`)
  await run(database.superuser, 'alter table elsewhere rename to communes')
  expect(broken.status).toBe(500)
  const cut =
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'parvis'"
  await run(database.superuser, cut)
  await get('/communes').catch(() => null)

  // On a separate connection: the service may not have noticed yet that its own were cut.
  const all = async (table: string) => (await run(database.superuser, `select * from ${table}`)).rows
  const auditEntries = await all('audit_log')
  const kept = await all('idempotent_responses')
  const places = {
    log: lines.join('\n'),
    answers: answers.join('\n'),
    metrics: await registry.metrics(),
    auditEntries: JSON.stringify(auditEntries),
    kept: JSON.stringify(kept),
  }
  expect(lines.length).toBeGreaterThan(20)
  const secrets = {
    ...planted,
    signedIn,
    database: database.service.password,
    owner: database.owner.password,
  }
  // Responses may contain what people wrote, for those who may read it.
  for (const [place, text] of Object.entries(places))
    for (const [what, secret] of Object.entries(secrets) as [string, string][])
      if (what !== 'personal' || (place !== 'answers' && place !== 'kept'))
        expect(text.includes(secret), `${what} in ${place}: ${around(text, secret)}`).toBe(false)
})

const around = (text: string, word: string) =>
  text.slice(Math.max(0, text.indexOf(word) - 200), text.indexOf(word) + 50)
