// Not on another PostgreSQL, because other files run its statements too.
import type { RouteOptions } from 'fastify'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { modules } from '../../src/app.ts'
import { putTotp } from '../../src/modules/sign-in/sign-in.test-kit.ts'
import { opens, type Role } from '../../src/platform/access/areas.ts'
import { type Membership, type Scope, scopes } from '../../src/platform/access/caller.ts'
import { digestOfKey, newKey, scopesOf } from '../../src/platform/access/keys.ts'
import {
  allows,
  platformRules,
  type Relation,
  type Rule,
  relationsOf,
} from '../../src/platform/access/rules.ts'
import type { SessionStatus } from '../../src/platform/access/sessions.ts'
import type { Answer } from '../support/client.ts'
import { callsOfEachModule, openStage, type RouteCall } from '../support/route-calls.ts'
import { sampled } from '../support/sample.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'

type Config = NonNullable<RouteOptions['config']>
type Route = { name: string; method: string; path: string; config: Config }

const routes: Route[] = []
const world = await openWorld({
  env: { SECOND_FACTOR: 'admin' },
  watchRoutes: (route) => {
    const { method, url } = route
    if (method === 'HEAD' || route.config?.scope?.audience === undefined) return
    const path = url.replace('/api/v1', '')
    routes.push({
      name: `${String(method)} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
      method: String(method),
      path,
      // Its scope adds the area afterwards.
      get config() {
        return route.config ?? {}
      },
    })
  },
})
const { db, user, client, acteur, commune } = world
const stage = await openStage(world)
const calls = await callsOfEachModule(stage)

/** Subjects of the staged calls: the records of both acteurs, and in the back-office a claim or a publication. */
const acteurs = [stage.club, stage.mairie.hall]
const area = 'claims'

/** A caller of every kind: by role, by membership of the acteur, and from another application. */
const callers = await Promise.all([
  caller('nobody', null),
  caller('a stranger', {}),
  caller('an editor', { member: { role: 'editor', permissions: [] } }),
  caller('an editor who manages', { member: { role: 'editor', permissions: ['manage_publications'] } }),
  caller('an editor who publishes', { member: { role: 'editor', permissions: ['publish_publications'] } }),
  caller('an editor of the page', { member: { role: 'editor', permissions: ['manage_page'] } }),
  caller('an editor of the commune', { member: { role: 'editor', permissions: ['manage_commune'] } }),
  caller('an editor of acts', { member: { role: 'editor', permissions: ['publish_acts'] } }),
  caller('an owner', { member: { role: 'owner', permissions: [] } }),
  caller('a moderator', { roles: ['moderator'] }),
  caller('a moderator in another application', { roles: ['moderator'], source: 'public' }),
  caller('a support operator', { roles: ['support'] }),
  caller('an admin', { roles: ['admin'] }),
  caller('a platform admin', { roles: ['platform_admin'] }),
])

type As = { roles?: Role[]; member?: Pick<Membership, 'role' | 'permissions'>; source?: string }
async function caller(name: string, as: As | null) {
  const { roles = [], member, source = 'backoffice' } = as ?? {}
  const memberships = member === undefined ? [] : acteurs.map((acteur) => ({ acteur, ...member }))
  const made = as === null ? null : await user({ roles, memberships })
  const acteurId = stage.club.id
  const relations =
    made &&
    relationsOf(
      { id: made.id, roles, memberships: member ? [{ acteurId, ...member }] : [] },
      { acteurId, area },
    )
  return {
    id: made?.id ?? null,
    name,
    roles,
    source,
    /** Colleagues are colleagues in the back-office only. */
    relations: (relations ?? []).filter((relation) => relation !== 'colleague' || source === 'backoffice'),
    isSignedIn: made !== null,
    send: client({ source, ...(made && { token: made.token }) }).send,
  }
}

/** For routes with several rules: one request per rule, because not all rules apply to every request. */
const requests: Record<string, Record<string, (call: RouteCall) => Promise<Partial<RouteCall>>>> = {
  'PATCH /publications/{id}': {
    'publication.edit': async () => ({}),
    'publication.pin': async () => ({ body: { epingle: true } }),
  },
  // The prepared publication belongs to an acteur that no mairie supervises.
  'PATCH /publications/{id}/moderate': {
    'publication.moderate': async () => {
      const content = { title: 'Fête de la pomme', body: 'Pressage sur la place.' }
      const made = await stage.mayor.client.post(stage.mairie.path, content)
      const body = { moderation_status: 'rejected', reason: 'Date manquante' }
      return { path: `/publications/${made.body.data.id}/moderate`, body }
    },
  },
  'GET /admin/decisions': { 'decision.list_all': async ({ path }) => ({ path: `${path}?all=true` }) },
  'PATCH /admin/claims/{id}': {
    'claim.decide': async () => ({}),
    'claim.decide_on_mairie': async () => ({ path: `/admin/claims/${await claimOn('mairie')}` }),
    'claim.name_owner': async () => ({
      path: `/admin/claims/${await claimOn('association')}`,
      body: { status: 'approved', user_id: (await user()).id },
    }),
  },
}
async function claimOn(type: 'mairie' | 'association'): Promise<string> {
  const { id: acteur_id } = await acteur({ type, commune_id: (await commune()).id })
  const claim = { acteur_id, message: 'Bonjour', email: stage.address }
  return (await stage.reader.client.post('/claims', claim)).body.data.id
}

type Probe = {
  route: Route
  rules: readonly Rule[]
  change: (call: RouteCall) => Promise<Partial<RouteCall>>
}
const probes: Probe[] = routes.flatMap((route): Probe[] => {
  const { rules = [] } = route.config.scope ?? {}
  const several = requests[route.name]
  if (several === undefined) return [{ route, rules, change: async () => ({}) }]
  return Object.entries(several).map(([name, change]) => ({
    route,
    rules: rules.filter((rule) => rule.name === name),
    change,
  }))
})

/** Returns whether the rules of a request allow a caller who is not the author of its record. */
function mayCall(
  { route: { config }, rules }: Probe,
  { relations, roles, source, isSignedIn }: (typeof callers)[number],
) {
  const passes = (rule: Rule) => allows(rule, relations)
  if (config.scope?.audience === 'public') return true
  if (!isSignedIn) return false
  const enters =
    config.scope?.audience === 'mairie'
      ? passes(rules.find(({ over }) => over === 'mairie') ?? platformRules.enterMairie)
      : config.scope?.audience !== 'admin' ||
        (source === 'backoffice' &&
          (config.scope?.area === undefined ? roles.length > 0 : opens(roles, config.scope?.area)))
  return enters && rules.every(passes)
}

/** Another user's own record is not found; without an id in the path the request concerns the caller's own. */
const isOwn = ({ rules }: Probe) => rules.some(({ over, who }) => over === 'own' && who.includes('signed_in'))
const nameOf = ({ route, rules }: Probe) => [route.name, ...rules.map(({ name }) => name)].join(' ')
const isRefused = ({ status }: Answer) => [401, 403, 404].includes(status)

const signedIn = probes.filter(
  (probe) =>
    ['public', 'bearer', 'mairie', 'admin'].includes(probe.route.config.scope?.audience ?? '') &&
    // Administrators enter their areas: test/contract/rights.test.ts asks for all of these.
    !(probe.route.config.scope?.audience === 'admin' && probe.rules.length === 0) &&
    !isOwn(probe),
)

test.each(sampled(signedIn, 1 / 4, nameOf).map((probe) => [nameOf(probe), probe] as const))(
  '%s accepts exactly the callers whom its rules allow',
  async (_name, probe) => {
    const make = calls[probe.route.name]
    if (make === undefined) throw new Error('no staged call')
    const once = probe.route.method === 'GET' ? await make() : null
    const asked = callers.map(async (caller) => {
      const staged = once ?? (await make())
      const { path, body } = { ...staged, ...(await probe.change(staged)) }
      const answer = await caller.send(probe.route.method, path, body)
      return [caller.name, isRefused(answer) ? answer.text : 'allowed'] as const
    })
    const answers = Object.fromEntries(await Promise.all(asked))
    const refused = expect.not.stringMatching(/^allowed$/)
    expect(answers).toEqual(
      Object.fromEntries(
        callers.map((caller) => [caller.name, mayCall(probe, caller) ? 'allowed' : refused]),
      ),
    )
  },
)

/** Returns a client with a key of this caller. */
async function withKey(
  { id, source }: (typeof callers)[number],
  scopes: readonly Scope[],
  acteurId: string | null = null,
) {
  const key = newKey()
  await sql`
    insert into access_keys (id, user_id, acteur_id, name, scopes, digest, expires_at)
    values (gen_random_uuid(), ${id}, ${acteurId}, 'Clé', ${scopes}, ${digestOfKey(key)}, now() + interval '1 day')`.execute(
    db,
  )
  return client({ source, token: key })
}

/** What a key leaves of a caller: without a scope of the back-office, no role. */
function narrowed(caller: (typeof callers)[number], needed: readonly Scope[]) {
  if (needed.some((scope) => scope.startsWith('office.'))) return caller
  const ofRoles = ['administrator', 'colleague']
  return { ...caller, roles: [], relations: caller.relations.filter((one) => !ofRoles.includes(one)) }
}

const keyOwners = ['a stranger', 'an editor who manages', 'an owner', 'a moderator', 'an admin']

/** Routes of areas too: `rights.test.ts` asks for all roles without keys. */
const openToKeys = probes.flatMap((probe) => {
  const { method, config } = probe.route
  const needed = scopesOf(method, config)
  return needed === null ? [] : [{ ...probe, needed }]
})

test.each(sampled(openToKeys, 1 / 4, nameOf).map((probe) => [nameOf(probe), probe] as const))(
  '%s accepts keys with exactly its scopes, of exactly the callers whom its rules allow',
  async (_name, probe) => {
    const make = calls[probe.route.name]
    if (make === undefined) throw new Error('no staged call')
    const owners = callers.filter(({ name }) => keyOwners.includes(name))
    const asked = owners.map(async (caller) => {
      const staged = await make()
      const { path, body } = { ...staged, ...(await probe.change(staged)) }
      for (const missing of new Set(probe.needed)) {
        const others = scopes.filter((scope) => scope !== missing)
        const refused = await (await withKey(caller, others)).send(probe.route.method, path, body)
        expect(refused, caller.name).toBeError(403, 'key_refused')
      }
      const answer = await (await withKey(caller, probe.needed)).send(probe.route.method, path, body)
      return [caller.name, isRefused(answer) ? answer.text : 'allowed'] as const
    })
    const refused = expect.not.stringMatching(/^allowed$/)
    const expected = owners.map((caller) => [
      caller.name,
      mayCall(probe, narrowed(caller, probe.needed)) ? 'allowed' : refused,
    ])
    expect(Object.fromEntries(await Promise.all(asked))).toEqual(Object.fromEntries(expected))
  },
)

/** Everything that makes or changes accounts, hands out rights, takes part in claims or reads what people are. */
const closed =
  /^(GET|POST|PATCH|PUT|DELETE) \/(auth|claims|support)|\/members|\/admin\/(users|people|audit|system)/
const changesAccount = /^(POST|PATCH|PUT|DELETE) \/me(\/(?!acteurs\/\{acteurId\})|$)/

test('no key opens accounts, teams, claims, support or what people may do', () => {
  const open = routes.filter(({ method, config }) => scopesOf(method, config) !== null)
  expect(open.length).toBeGreaterThan(50)
  expect(open.filter(({ name }) => closed.test(name) || changesAccount.test(name))).toEqual([])
  expect(routes.filter(({ name }) => closed.test(name)).length).toBeGreaterThan(20)
})

test('a key with every scope of an administrator is refused by every other route', async () => {
  const admin = callers.find(({ name }) => name === 'an admin') ?? expect.fail('no admin')
  const all = await withKey(admin, scopes)
  for (const { name, method, path, config } of routes) {
    const isRead = config.scope?.audience === 'public' && method === 'GET'
    if (!['public', 'bearer', 'mairie', 'admin'].includes(config.scope?.audience ?? '') || isRead) continue
    if (scopesOf(method, config) !== null) continue
    const answer = await all.send(method, path.replace(/:\w+/g, nobody))
    expect(answer, name).toBeError(403, 'key_refused')
  }
})

const ofActeur = scopes.filter((scope) => scope !== 'own.read' && !scope.startsWith('office.'))
const overActeur = openToKeys.filter(
  ({ needed, rules }) =>
    needed.every((scope) => ofActeur.includes(scope)) && rules.some(({ over }) => over !== 'own'),
)

test.each(sampled(overActeur, 1 / 4, nameOf).map((probe) => [nameOf(probe), probe] as const))(
  '%s refuses the key that its owner made for another acteur',
  async (_name, probe) => {
    const owner = callers.find(({ name }) => name === 'an owner') ?? expect.fail('no owner')
    const { id } = await acteur({ valide: true })
    await sql`insert into actor_users (acteur_id, user_id, role) values (${id}, ${owner.id}, 'owner')`.execute(
      db,
    )
    const staged = (await calls[probe.route.name]?.()) ?? expect.fail('no staged call')
    const { path, body } = { ...staged, ...(await probe.change(staged)) }
    const answer = await (await withKey(owner, ofActeur, id)).send(probe.route.method, path, body)
    expect(answer.text, String(answer.status)).toSatisfy(() => isRefused(answer))
  },
)

test('a key is refused where what it asks for would need a confirmation', async () => {
  const admin = callers.find(({ name }) => name === 'an admin') ?? expect.fail('no admin')
  const all = await withKey(admin, scopes)
  const confirming = openToKeys.filter(({ route: { config } }) => typeof config.confirms === 'function')
  expect(confirming.map(({ route: { name } }) => name)).toEqual([
    'POST /admin/communes/{id}/defibrillateurs/sync',
    'POST /admin/defibrillateurs-france/sync',
  ])
  for (const { route } of confirming) {
    const { path } = (await calls[route.name]?.()) ?? expect.fail('no staged call')
    expect(await all.post(`${path}?accept_fall=true`)).toBeError(403, 'key_refused')
  }
})

test.each(probes.filter(isOwn).map((probe) => [nameOf(probe), probe] as const))(
  '%s is only available to its own user',
  async (_name, { route }) => {
    const make = calls[route.name]
    if (make === undefined) throw new Error('no staged call')
    const { by, path, body, headers } = await make()
    for (const caller of callers) {
      if (caller.isSignedIn && !path.match(/[0-9a-f-]{36}/)) continue
      const status = caller.isSignedIn ? 404 : 401
      expect((await caller.send(route.method, path, body)).status, caller.name).toBe(status)
    }
    const answer = await by.client.send(route.method, path, body, headers && { headers })
    expect([200, 201, 202], answer.text).toContain(answer.status)
  },
)

test('each rule protects a route, and each of several rules of a route has a test request', () => {
  const defined = modules.flatMap(({ permissions = [] }) => permissions.map(({ name }) => name))
  const named = routes.flatMap(({ config }) => (config.scope?.rules ?? []).map(({ name }) => name))
  expect(new Set(named)).toEqual(new Set([...defined, 'record.open', 'own.change']))
  const asked = probes.flatMap(({ rules }) => rules.map(({ name }) => name))
  expect(new Set(asked)).toEqual(new Set(named))
})

const statuses: SessionStatus[] = ['signed_in', 'enrolment', 'second_factor']
async function sessionOf(status: SessionStatus) {
  const { id } = await user({ roles: status === 'enrolment' ? ['admin'] : [] })
  if (status === 'second_factor') await putTotp(db, id)
  const { headers } = await openSession(db, id)
  return client({ source: 'backoffice', headers })
}

const nobody = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'

test.each(statuses)(
  'a session in status %s can call exactly the routes whose rules allow it',
  async (status) => {
    const its = await sessionOf(status)
    for (const { name, method, path, config } of routes) {
      if (config.scope?.audience !== 'bearer') continue
      const answer = await its.send(method, path.replace(/:\w+/g, nobody))
      const rules: readonly Rule[] = config.scope?.rules ?? []
      const relations: Relation[] = [status]
      const isOpen = status === 'signed_in' || rules.some((rule) => allows(rule, relations))
      const refusal = status === 'enrolment' ? 'enrolment_required' : 'unauthenticated'
      expect(answer.body.error === refusal, `${name} ${answer.text}`).toBe(!isOpen)
    }
  },
)

/** For each rule over a session: a request, and the error code of a session that the rule does not allow. */
const ofSessions: Record<string, { path: string; body?: object; refusal: string }> = {
  'session.confirm': { path: '/auth/confirm/email', refusal: 'unauthenticated' },
  'session.show_factor': { path: '/auth/second-factor', body: { totp: '000000' }, refusal: 'conflict' },
}

test.each(
  modules
    .flatMap(({ permissions = [] }) => permissions)
    .filter(({ over }) => over === 'session')
    .flatMap((rule) => statuses.map((status) => [rule.name, status, rule] as const)),
)('the rule %s holds for a session in status %s', async (name, status, rule) => {
  const { path = '', body, refusal } = ofSessions[name] ?? {}
  const answer = await (await sessionOf(status)).post(path, body)
  expect(answer.body.error === refusal, answer.text).toBe(!allows(rule, [status]))
})
