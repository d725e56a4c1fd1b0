// Round: rest, because it plans every statement on tables of thousands of rows.
import pg from 'pg'
import { expect, test } from 'vitest'
import { actForm } from '../../src/modules/acts/acts.test-kit.ts'
import { formOf as collectesFormOf, tableOf } from '../../src/modules/collectes/collectes.test-kit.ts'
import { insertDefibrillateur } from '../../src/modules/defibrillateurs/defibrillateurs.test-kit.ts'
import { formOf, png } from '../../src/modules/media/media.test-kit.ts'
import { exportOf } from '../../src/modules/pages/wordpress/wordpress.test-kit.ts'
import { failedEvent, knownSubscription } from '../../src/modules/payments/payments.test-kit.ts'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import type { Audience } from '../../src/platform/http/http-server.ts'
import type { OpenApiDocument } from '../../src/platform/http/openapi/types.ts'
import { openMairie } from '../support/mairies.ts'
import { cloneManyPublications } from '../support/many/publications.ts'
import { publishText } from '../support/name-server.ts'
import { gatherStatistics, readWhole, type Step, withParts } from '../support/plans.ts'
import { openSession } from '../support/sessions.ts'
import { type Statement, statementsAbout } from '../support/statements.ts'
import { openWorld, run } from '../support/world.ts'

const routes: { method: string; path: string; audience: Audience }[] = []
const { database } = await cloneManyPublications(20_000)
const world = await openWorld({
  database,
  watchRoutes: ({ method, url, config }) => {
    if (method === 'HEAD' || config?.scope?.audience === undefined) return
    routes.push({
      method: String(method),
      path: url.replace('/api/v1', ''),
      audience: config.scope?.audience,
    })
  },
})
const grown = [
  'users',
  'audit_log',
  'actor_users',
  'claims',
  'publication_reports',
  'alertes',
  'commune_infos',
  'support_threads',
  'support_messages',
]
await run(
  database.owner,
  `insert into users (id, issuer, subject, nom)
     select gen_random_uuid(), 'test', n, 'Personne ' || n from generate_series(1, 10000) n;
   insert into audit_log (id, action, entity, entity_id)
     select gen_random_uuid(), 'x.y', 'x', n from generate_series(1, 10000) n;
   insert into actor_users (user_id, acteur_id, role)
     select u.id, a.id, 'editor' from users u join acteurs a on a.slug = 'many-' || u.subject;
   insert into claims (id, acteur_id, user_id, message, status, ended_at)
     select gen_random_uuid(), acteur_id, user_id, 'x', 'rejected', now() from actor_users, generate_series(1, 5);
   insert into publication_reports (id, publication_id, caller_key, day)
     select gen_random_uuid(), id, 'x', current_date from publications;
   insert into alertes (id, acteur_id, titre, message, niveau)
     select gen_random_uuid(), acteur_id, 'x', 'x', 'info' from claims;
   insert into commune_infos (id, commune_id, cle, libelle, valeur, position)
     select gen_random_uuid(), id, 'x' || n, 'x', 'x', n from communes, generate_series(1, 20) n;
   insert into support_threads (id, subject, email, said)
     select gen_random_uuid(), 'x', 'x@example.org', '' from generate_series(1, 10000) n;
   insert into support_messages (id, thread_id, direction, body, message_id)
     select gen_random_uuid(), id, 'inbound', 'x', '<x@y>' from support_threads;`,
)
await gatherStatistics(database, grown)
const large = [
  ...grown,
  'acteurs',
  'publications',
  'publication_communes',
  'publication_listings',
  'duplicate_groups',
]

test('every prepared statement uses an index on each growing table, for any values', async () => {
  const prepared = (await callAll()).filter(({ isPrepared }) => isPrepared)
  const texts = new Set(prepared.map(({ sql }) => sql))
  expect(texts.size).toBeGreaterThan(60)
  const client = new pg.Client(database.owner)
  await client.connect()
  try {
    await client.query('set plan_cache_mode = force_generic_plan')
    for (const text of texts) {
      const whole = readWhole(await explainWithoutValues(client, text))
      expect(
        whole.filter((table) => large.includes(table)),
        text,
      ).toEqual([])
    }
  } finally {
    await client.end()
  }
})

/** Calls every route with a permitted caller and the documented body, deletions last, and records the statements. */
async function callAll(): Promise<Statement[]> {
  const { hall, club, commune } = await openMairie(world)
  const member = await world.user({ roles: ['admin'], memberships: [{ acteur: hall, role: 'owner' }] })
  const { id: user_id, token } = await world.user()
  const [publication] = (await run(database.owner, 'select id from publications where valide limit 1')).rows
  const claimOf = (acteur_id: string) =>
    world.post('/claims', { acteur_id, message: 'La page de mon club.' }, { token })
  const given: Record<string, unknown> = {
    fin: null,
    acteur_id: club.id,
    commune_id: commune.id,
    commune_ids: [commune.id],
    mairie_actor_id: hall.id,
    type_id: '01998000-0000-7000-8000-000000000002',
    user_id,
    ids: [publication.id],
    id: undefined,
    logo: null,
    blason: null,
    photo: null,
    parent_id: null,
    before: null,
  }
  let refused = 0
  const statements = await statementsAbout(/\w/, async () => {
    const claim = await claimOf((await world.acteur()).id)
    const [thread] = (await run(database.owner, 'select id from support_threads limit 1')).rows
    const feed = { nom: 'Le club', type: 'rss', url: 'https://club.example.org/feed' }
    const office = world.client({ source: 'backoffice', token: member.token })
    const imported = await office.post('/admin/import-sources', feed)
    const template = await office.post('/admin/templates', {
      kind: 'rejection',
      name: 'Hors sujet',
      body: 'Non',
    })
    const note = await office.post('/admin/notes', {
      kind: 'publication',
      id: publication.id,
      body: 'À voir',
    })
    const term = await office.post('/admin/search-terms', { term: 'cuve', topic: 'collectes' })
    const ground = await office.post('/admin/grounds', {
      code: 'bruit',
      label: 'Bruit',
      text: 'Trop.',
      kind: 'rule',
    })
    const group = await office.post('/admin/groups', {
      nom: 'Syndicat des eaux',
      kind: 'syndicat',
      commune_ids: [commune.id],
    })
    const domain = await office.post('/admin/domains', { host: 'www.ville.test', commune_id: commune.id })
    publishText('_parvis.www.ville.test', domain.body.data.token)
    const union = await world.acteur({ type: 'intercommunalite', valide: true })
    const ofUnion = { nom: 'Union', kind: 'autre', acteur_id: union.id, commune_ids: [commune.id] }
    await office.post('/admin/groups', ofUnion)
    const published = await insertPublication(world, { acteur_id: union.id })
    const hidden = await insertPublication(world, { acteur_id: hall.id })
    const theirs = await world.user({ roles: ['moderator'] })
    await world
      .client({ source: 'backoffice', token: theirs.token })
      .patch(`/admin/publications/${hidden.id}/valide`, { valide: false })
    const statement = await world.db
      .selectFrom('statements')
      .select('id')
      .where('record_id', '=', hidden.id)
      .executeTakeFirstOrThrow()
    given.statement_id = statement.id
    const complainant = await world.user({ memberships: [{ acteur: hall }] })
    const complaint = await world
      .client({ token: complainant.token })
      .post('/me/complaints', { statement_id: statement.id, text: 'Je ne suis pas d’accord.' })
    // Only a session makes keys, and other calls end sessions.
    const inSession = async (source: string) => {
      const { headers } = await openSession(world.db, member.id, { hasShownFactor: true })
      return world.client({ source, headers })
    }
    const key = await (await inSession('backoffice')).post('/me/keys', {
      name: 'Site',
      scopes: ['publication.read'],
    })
    const view = await office.post('/me/views', { list: 'publications', name: 'Toutes', query: '' })
    const water = { titre: 'Coupure d’eau', message: 'Jeudi matin.', niveau: 'info' }
    const alerte = await office.post(`/mairie/communes/${commune.id}/alertes`, water)
    const ofMairie = await office.post(`/mairie/acteurs/${hall.id}/alertes`, water)
    const ofUnionAlerte = await office.post(`/mairie/acteurs/${union.id}/alertes`, water)
    const ofPages = `/mairie/communes/${commune.id}/pages`
    const page = await office.post(ofPages, { title: 'École' })
    await office.patch(`${ofPages}/${page.body.data.id}`, { title: 'Écoles', status: 'published' })
    const versions = await office.get(`${ofPages}/${page.body.data.id}/versions`)
    const picture = () => png().then((file) => formOf(file, { acteur_id: club.id }))
    const sent = await office.post('/media', await picture())
    const collecte = { code_insee: commune.code_insee, type: 'verre', jours: 'lundi' }
    const collectes = collectesFormOf(tableOf(collecte))
    const checked = await office.post(`/mairie/acteurs/${hall.id}/collecte-imports`, collectes)
    const forms: Record<string, () => Promise<FormData>> = {
      '/media': picture,
      '/mairie/acteurs/:acteurId/collecte-imports': async () => collectes,
      '/mairie/acteurs/:acteurId/acts': async () => actForm({ title: 'Autre' }),
      '/mairie/communes/:communeId/pages/wordpress-import': async () =>
        formOf(exportOf([{ title: 'Cantine' }]), { dry_run: 'false' }, 'mairie.xml'),
    }
    const act = await office.post(`/mairie/acteurs/${hall.id}/acts`, actForm())
    await office.patch(`/mairie/acteurs/${hall.id}/acts/${act.body.data.id}/publish`)
    const draft = await office.post(`/mairie/acteurs/${hall.id}/acts`, actForm({ title: 'Brouillon' }))
    const webhook = async (path: string) => {
      const wanted = { url: 'https://club.example.org/changes', types: ['publication.published'] }
      const { id } = (await office.post(path, wanted)).body.data
      return { id, delivery: (await office.post(`${path}/${id}/test`)).body.data.id }
    }
    const [ofAll, ofHall] = [
      await webhook('/admin/webhooks'),
      await webhook(`/me/acteurs/${hall.id}/webhooks`),
    ]
    const type = await world.db.selectFrom('publication_types').select('id').executeTakeFirstOrThrow()
    const device = await insertDefibrillateur(world.db)
    const secteur = await office.post(`/mairie/communes/${commune.id}/secteurs`, {
      nom: 'Écarts',
      rues: [{ rue: 'Rue Basse' }],
    })
    const ids: Record<string, string> = {
      media: sent.body.data.id,
      'import-sources': imported.body.data.id,
      acts: act.body.data.id,
      'collecte-imports': checked.body.data.id,
      webhooks: ofAll.id,
      deliveries: ofAll.delivery,
      alertes: alerte.body.data.id,
      threads: thread.id,
      acteurs: hall.id,
      communes: commune.id,
      users: user_id,
      claims: claim.body.data.id,
      publications: publication.id,
      'group-publications': published.id,
      'group-alertes': ofUnionAlerte.body.data.id,
      roles: 'support',
      templates: template.body.data.id,
      notes: note.body.data.id,
      views: view.body.data.id,
      grounds: ground.body.data.id,
      'search-terms': term.body.data.id,
      groups: group.body.data.id,
      domains: domain.body.data.id,
      complaints: complaint.body.data.id,
      keys: key.body.data.id,
      'publication-types': type.id,
      'app-sources': 'backoffice',
      subscriptions: await knownSubscription(world.db),
      'payment-events': await failedEvent(world.db),
      deleted: await deletedInfo(office, commune.id),
      pages: page.body.data.id,
      secteurs: secteur.body.data.id,
      versions: versions.body.data[0].id,
      defibrillateurs: device.id,
      'defibrillateurs-france': device.id,
    }
    const queries: Record<string, string> = {
      '/admin/notes': `kind=publication&id=${publication.id}`,
      '/admin/templates': 'kind=rejection',
      '/admin/publications/choices': 'of=acteur',
      '/admin/search': 'q=pommes',
      '/admin/defibrillateurs-france/map': 'bbox=-5,41,10,52&zoom=5',
    }
    for (const { method, path, audience } of routes.toSorted(deletionsLast)) {
      const source = { admin: 'backoffice', mairie: 'mairie' }[audience as string] ?? 'public'
      const query = method === 'GET' ? queries[path] : undefined
      const asked = query === undefined ? '' : `?${query}`
      const own: Record<string, string> = path.startsWith('/mairie/acteurs/')
        ? { ...ids, alertes: ofMairie.body.data.id, acts: draft.body.data.id }
        : path.startsWith('/me/acteurs/')
          ? { ...ids, webhooks: ofHall.id, deliveries: ofHall.delivery }
          : ids
      const at =
        path
          .replace(/([\w-]+)\/:\w+/g, (whole, kind) => `${kind}/${own[kind] ?? whole}`)
          .replace(':file', '400.webp') + asked
      const example = documented(method, path) as { id?: string } | undefined
      const text = JSON.stringify(example ?? null)
      let body = JSON.parse(text, (key, value) => (key in given ? given[key] : value)) ?? undefined
      // A body that is about a record, while the ids of sub-lists are left out.
      if (example?.id !== undefined) body.id = publication.id
      // A key acts for an acteur of its owner, until a time that is ahead.
      if (path === '/me/keys' && method === 'POST') body = { name: 'Site', scopes: ['publication.read'] }
      // The act to correct would have to be published.
      if (path.endsWith('/acts/:id')) delete body?.supersedes
      // The acteur would have to be an intercommunalité.
      if (path.startsWith('/admin/groups')) delete body?.acteur_id
      // A domain has a commune or a group.
      if (path.startsWith('/admin/domains')) delete body?.group_id
      // The search knows a term once.
      if (path === '/admin/search-terms' && method === 'POST') body = { term: 'tonte', topic: 'collectes' }
      // These take an account or an address.
      if (path.startsWith('/admin/people/')) delete body?.email
      const caller = path.startsWith('/me/keys')
        ? await inSession(source)
        : world.client({ source, token: member.token })
      const answer = await caller.send(
        method,
        at,
        method === 'POST' ? ((await forms[path]?.()) ?? body) : body,
      )
      if (answer.status > 299 && !needsProof(path, audience as string)) refused += 1
    }
  })
  expect(refused).toBeLessThan(routes.length / 6)
  return statements
}

/** Returns the id of information of a commune that was deleted. */
async function deletedInfo(office: ReturnType<typeof world.client>, communeId: string): Promise<string> {
  const infos = [{ cle: 'garde', libelle: 'Gardien', valeur: 'Odile' }]
  const path = `/mairie/communes/${communeId}`
  const { body } = await office.patch(path, { infos })
  await office.patch(path, { infos: [] })
  return body.data.commune_infos[0].id
}

/** Needs a code or a signature that only a mail or an authenticator tells: its refusal is expected. */
const needsProof = (path: string, audience: string) =>
  ['sign-in', 'navigation'].includes(audience) ||
  /^\/me\/(email|totp|passkeys|recovery-codes|sessions\/)/.test(path)

type Call = { method: string; path: string }

/** Restores what was deleted after that. */
const deletionsLast = (one: Call, other: Call) => turnOf(one) - turnOf(other)
const turnOf = ({ method, path }: Call) => (/:\w+\/restore$/.test(path) ? 2 : Number(method === 'DELETE'))

function documented(method: string, path: string): unknown {
  const { paths } = world.app.server.swagger() as unknown as OpenApiDocument
  const operation = paths[`/api/v1${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()]
  return Object.values(operation?.requestBody?.content ?? {})[0]?.example
}

async function explainWithoutValues(client: pg.Client, text: string): Promise<Step[]> {
  const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
  await client.query(`prepare kept as ${text}`)
  const nulls = Array(Math.max(...numbers)).fill('null')
  const { rows } = await client.query(`explain (format json) execute kept (${nulls.join(', ')})`)
  await client.query('deallocate kept')
  return withParts(rows[0]['QUERY PLAN'][0].Plan)
}
