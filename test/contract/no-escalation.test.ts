// Not on another PostgreSQL, because other files run its statements too.
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import type { Role } from '../../src/platform/access/areas.ts'
import { exampleOf } from '../../src/platform/http/openapi/document.ts'
import { fc, propertyRuns } from '../support/fast-check.ts'
import { isWhole } from '../support/sample.ts'
import { openWorld } from '../support/world.ts'

type Route = { method: string; path: string; audience: string; body: TSchema | undefined }

const routes: Route[] = []
const { user, acteur, commune, db, client } = await openWorld({
  watchRoutes: ({ method, url, config, schema }) => {
    if (method === 'HEAD' || config?.scope?.audience === undefined) return
    const [path, body] = [url.replace('/api/v1', ''), schema?.body as TSchema | undefined]
    routes.push({ method: String(method), path, audience: config.scope?.audience, body })
  },
})
const changing = routes.filter(({ method }) => method !== 'GET')

const club = await acteur({ valide: true })
await user({ roles: ['admin'] })
const hall = await acteur({ type: 'mairie', valide: true })
await commune({ mairie_actor_id: hall.id })
type Self = Awaited<ReturnType<typeof user>>

/** One attempt: a changing route with helpful values, mostly signed in and from the right application. */
const tries = fc.record({
  route: fc.constantFrom(...changing),
  record: fc.nat(),
  role: fc.constantFrom('admin', 'platform_admin', 'moderator'),
  fields: fc.infiniteStream(fc.nat(7)),
  source: fc.oneof(
    { weight: 9, arbitrary: fc.constant('backoffice') },
    { weight: 1, arbitrary: fc.constant('public') },
  ),
  signedIn: fc.oneof(
    { weight: 9, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
})
type Try = typeof tries extends fc.Arbitrary<infer T> ? T : never

async function attempt(self: Self, { route, record, role, fields, source, signedIn }: Try): Promise<void> {
  let path = route.path.replace(':role', role)
  for (const [parameter = '', kind = ''] of route.path.matchAll(/([\w-]+)\/:\w*[iI]d\b/g)) {
    const ids = await idsOf(kind, self)
    path = path.replace(parameter, `${kind}/${ids[record % ids.length]}`)
  }
  const body = route.body && JSON.stringify(greedyBody(route.body, self, role, fields))
  await client({ source, ...(signedIn && { token: self.token }) }).send(route.method, path, body)
}

const tables = ['users', 'acteurs', 'communes', 'claims', 'publications'] as const

/** Current records of that kind, oneself first. */
async function idsOf(kind: string, self: Self): Promise<string[]> {
  const table = tables.find((one) => one === kind)
  if (table === undefined) return [self.id]
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} order by id = ${self.id} desc, id desc limit 4`.execute(db)
  return rows.length === 0 ? [self.id] : rows.map(({ id }) => id)
}

/** A valid body filled with whatever benefits the caller; optional fields vary. */
function greedyBody(schema: TSchema, self: Self, role: string, fields: fc.Stream<number>): unknown {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, object>
    required?: string[]
  }
  const wanted: Record<string, unknown> = {
    role,
    acteurs: [club, hall].map(({ id }) => ({ acteur_id: id, role: 'owner', permissions: [] })),
    acteur_id: club.id,
    user_id: self.id,
    email: self.email,
    status: 'approved',
    moderation_status: 'published',
    mairie_actor_id: hall.id,
    commune_id: null,
    ids: [self.id],
  }
  const chosen = Object.entries(properties).filter(
    ([name]) => required.includes(name) || (fields.next().value ?? 0) < (name in wanted ? 6 : 1),
  )
  return Object.fromEntries(chosen.map(([name, part]) => [name, wanted[name] ?? exampleOf(part)]))
}

const rolesOfAll = () =>
  db.selectFrom('user_roles').select(['user_id', 'role']).orderBy('user_id').orderBy('role').execute()
const membershipsOf = ({ id }: Self) =>
  db
    .selectFrom('actor_users')
    .select(['acteur_id', 'role', 'permissions'])
    .where('user_id', '=', id)
    .execute()
const acteurStates = () =>
  db.selectFrom('acteurs').select(['id', 'type', 'valide', 'can_publish', 'active']).orderBy('id').execute()

const given = { acteur_id: club.id, role: 'editor', permissions: ['manage_publications' as const] }

/** Permissions nobody below an administrator may gain: roles, memberships, another state of acteurs. A team may be left. */
const rightsAround = async (self: Self) => [
  await rolesOfAll(),
  (await membershipsOf(self)).filter((one) => !isDeepStrictEqual(one, given)),
  await acteurStates(),
]

async function search(
  self: Self,
  look: (self: Self) => Promise<unknown>,
  numRuns: number,
  prepare = async () => {},
) {
  const before = await look(self)
  const sequences = fc.array(tries, { minLength: 5, maxLength: 30 })
  const property = fc.asyncProperty(sequences, async (sequence) => {
    await prepare()
    for (const one of sequence) await attempt(self, one)
    expect(await look(self)).toEqual(before)
  })
  return fc.check(property, { numRuns, endOnFailure: true })
}

const runs = propertyRuns(1 / 5)

test.each<[string, Role[]]>([
  ['nobody in particular', []],
  ['a moderator', ['moderator']],
  ['a support operator', ['support']],
])(
  'no sequence of calls gives %s a role, a membership, or a better acteur',
  async (_, roles) => {
    const self = await user({ roles })
    const found = await search(self, rightsAround, runs, async () => {
      const member = { user_id: self.id, ...given }
      await db
        .insertInto('actor_users')
        .values(member)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })
    expect(found.failed, `seed ${found.seed}: ${JSON.stringify(found.counterexample)}`).toBe(false)
  },
  300_000,
)

test.runIf(isWhole)(
  'the same calls by an administrator do change roles, memberships and acteurs',
  async () => {
    const self = await user({ roles: ['admin'] })
    const looks = { roles: rolesOfAll, memberships: membershipsOf, acteurs: acteurStates }
    const before = await Promise.all(Object.values(looks).map((look) => look(self)))
    const changed = new Set<string>()
    const haveChanged = async () => {
      for (const [index, [name, look]] of Object.entries(looks).entries())
        if (!isDeepStrictEqual(await look(self), before[index])) changed.add(name)
      return changed.size === before.length
    }
    const found = await search(self, haveChanged, 500, async () => {
      await db.updateTable('acteurs').set({ deleted_at: null }).execute()
      // The calls also take permissions from the administrator.
      await db
        .updateTable('users')
        .set({ actif: true, tokens_valid_from: null })
        .where('id', '=', self.id)
        .execute()
      const role = { user_id: self.id, role: 'admin' }
      const quietly = db
        .insertInto('user_roles')
        .values(role)
        .onConflict((conflict) => conflict.doNothing())
      await quietly.execute()
    })
    expect(found.failed, `only ${[...changed]} changed`).toBe(true)
  },
  300_000,
)
