import { expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'
import { got, refused, typedClient } from './typed-client.ts'

/** Four applications that know nothing but the document. */
const world = await openWorld()
const admin = typedClient(world, 'backoffice', (await world.user({ roles: ['admin'] })).token)
const moderator = typedClient(world, 'backoffice', (await world.user({ roles: ['moderator'] })).token)
const reader = typedClient(world, 'public')
const signIn = async (source: string) => {
  const { id, token } = await world.user()
  return { id, app: typedClient(world, source, token) }
}

let places = 0

/** Creates a commune with its mairie, as an administrator. */
async function openCommune(nom: string) {
  const code_insee = `733${String(++places).padStart(2, '0')}`
  const commune = (
    await got(admin.POST('/api/v1/admin/communes', { body: { nom, code_insee, region: '84' } }))
  ).data
  const hall = await openActeur({ nom: `Mairie de ${nom}`, type: 'mairie', commune_id: commune.id })
  const path = { id: commune.id }
  await got(
    admin.PATCH('/api/v1/admin/communes/{id}', { params: { path }, body: { mairie_actor_id: hall.id } }),
  )
  return { commune, hall }
}

type NewActeur = { nom: string; type: 'association' | 'mairie'; commune_id: string }

async function openActeur(body: NewActeur) {
  const acteur = (await got(admin.POST('/api/v1/admin/acteurs', { body }))).data
  const path = { id: acteur.id }
  return (await got(admin.PATCH('/api/v1/admin/acteurs/{id}/validate', { params: { path } }))).data
}

const mayPublish = (id: string) =>
  got(
    admin.POST('/api/v1/admin/acteurs/{id}/can-publish', {
      params: { path: { id } },
      body: { can_publish: true },
    }),
  )

/** Becomes owner of an acteur through an approved claim. */
async function takeOver(acteur_id: string, source: string) {
  const person = await signIn(source)
  const claim = await got(
    person.app.POST('/api/v1/claims', { body: { acteur_id, message: 'Je tiens sa page.' } }),
  )
  await got(
    admin.PATCH('/api/v1/admin/claims/{id}', {
      params: { path: { id: claim.data.id } },
      body: { status: 'approved' },
    }),
  )
  return person.app
}

const publish = async (id: string) =>
  got(
    moderator.PATCH('/api/v1/admin/publications/{id}/moderate', {
      params: { path: { id } },
      body: { moderation_status: 'published' },
    }),
  )

test("a reader's app finds a commune, its events and acteurs, and reports a problem", async () => {
  const { commune, hall } = await openCommune('Beynost')
  const club = await openActeur({ nom: 'Boule de Beynost', type: 'association', commune_id: commune.id })
  const mayor = await takeOver(hall.id, 'mairie')
  const types = (await got(reader.GET('/api/v1/publications/types'))).data
  const { id: type_id = null } = types.find(({ slug }) => slug === 'evenement') ?? {}
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  for (const [title, date_debut] of [
    ['Concours de boules', day(20)],
    ['Vide-grenier', day(5)],
    ['Fête passée', day(-5)],
  ] as const) {
    const body = { title, body: 'Venez nombreux.', acteur_id: club.id, date_debut, type_id }
    const made = await got(admin.POST('/api/v1/publications', { body }))
    await publish(made.data.id)
  }
  await got(
    mayor.POST('/api/v1/mairie/communes/{communeId}/alertes', {
      params: { path: { communeId: commune.id } },
      body: { titre: 'Eau coupée', message: 'Jeudi matin.', niveau: 'attention' },
    }),
  )

  const found = await got(reader.GET('/api/v1/communes', { params: { query: { q: 'beynost' } } }))
  const slug = found.data[0]?.slug ?? ''
  const page = await got(reader.GET('/api/v1/communes/{slug}', { params: { path: { slug } } }))
  expect(page.data).toMatchObject({ id: commune.id, nom: 'Beynost', mairie_actor_id: hall.id })
  const path = { communeId: page.data.id }
  const agenda = await got(
    reader.GET('/api/v1/communes/{communeId}/publications', {
      params: { path, query: { date_fin_min: day(0), sort: 'date_debut_asc' } },
    }),
  )
  expect(agenda.data.map(({ titre }) => titre)).toEqual(['Vide-grenier', 'Concours de boules'])
  expect(agenda.meta.total).toBe(2)
  const [first] = agenda.data
  expect(first).toMatchObject({
    acteur: { nom: 'Boule de Beynost', type: 'association', badge: null },
    commune: { slug, nom: 'Beynost' },
    type: { libelle: 'Événement' },
  })
  const alertes = await got(reader.GET('/api/v1/communes/{communeId}/alertes', { params: { path } }))
  expect(alertes.data.map(({ titre, niveau }) => [titre, niveau])).toEqual([['Eau coupée', 'attention']])
  const acteurs = await got(reader.GET('/api/v1/communes/{communeId}/acteurs', { params: { path } }))
  expect(acteurs.data.map(({ nom }) => nom)).toEqual(['Boule de Beynost', 'Mairie de Beynost'])
  const idOrSlug = first?.acteur?.slug ?? ''
  const who = await got(reader.GET('/api/v1/acteurs/{idOrSlug}', { params: { path: { idOrSlug } } }))
  expect(who.data.commune).toMatchObject({ slug })

  const open = { params: { path: { id: first?.id ?? '' } } }
  const read = await reader.GET('/api/v1/publications/{id}', open)
  const etag = read.response.headers.get('etag') ?? ''
  const again = await reader.GET('/api/v1/publications/{id}', { ...open, headers: { 'If-None-Match': etag } })
  expect(again.response.status).toBe(304)
  const report = await got(
    reader.POST('/api/v1/publications/{id}/report', { ...open, body: { category: 'wrong' } }),
  )
  expect(report.data.status).toBe('received')
})

test('an association writes a publication, corrects it, is rejected, corrects it again and is published', async () => {
  const { commune } = await openCommune('Miribel')
  const { id: acteur_id } = await openActeur({
    nom: 'Chorale de Miribel',
    type: 'association',
    commune_id: commune.id,
  })
  const app = await takeOver(acteur_id, 'public')
  const me = (await got(app.GET('/api/v1/me'))).data
  expect(me).toMatchObject({
    roles: [],
    areas: [],
    acteurs: [{ acteur_id, role: 'owner', can_publish: false }],
  })
  expect((await got(app.GET('/api/v1/me/claims'))).data).toMatchObject([
    { status: 'approved', acteur: { nom: 'Chorale de Miribel' } },
  ])

  const written = { acteur_id, title: 'Concert de Noël', body: 'A la salle des fêtes.' }
  const sending = { body: written, headers: { 'Idempotency-Key': crypto.randomUUID() } }
  const { data: made } = await got(app.POST('/api/v1/publications', sending))
  // The response was lost: retried, it is the same publication.
  expect((await got(app.POST('/api/v1/publications', sending))).data.id).toBe(made.id)
  expect(made.status).toBe('pending')
  const open = { params: { path: { id: made.id } } }
  expect(await refused(app.GET('/api/v1/publications/{id}', open))).toBe('404 not_found')
  const waiting = await got(
    app.GET('/api/v1/me/publications', {
      params: { query: { moderation_status: ['pending', 'rejected'], sort: 'updated_at_desc' } },
    }),
  )
  expect(waiting.data.map(({ id, hidden_because }) => ({ id, hidden_because }))).toEqual([
    { id: made.id, hidden_because: ['not_valid', 'pending', 'no_time'] },
  ])

  const mine = async () => (await got(app.GET('/api/v1/me/publications/{id}', open))).data
  const correct = (version: number, body: { title?: string; body?: string }) =>
    app.PATCH('/api/v1/publications/{id}', {
      params: { path: { id: made.id }, header: { 'If-Match': `"${version}"` } },
      body,
    })
  const { version } = await mine()
  const corrected = await got(correct(version, { body: 'À la salle des fêtes.' }))
  expect(corrected.data).toMatchObject({ body: 'À la salle des fêtes.', status: 'pending' })
  expect(await refused(correct(version, { title: 'Concert' }))).toBe('412 precondition_failed')

  const decide = {
    ...open,
    body: { moderation_status: 'rejected', reason: 'À quelle heure ?' },
  } as const
  await got(moderator.PATCH('/api/v1/admin/publications/{id}/moderate', decide))
  const rejected = await mine()
  expect(rejected).toMatchObject({ status: 'rejected', moderation_reason: 'À quelle heure ?' })
  const second = await got(correct(rejected.version, { body: 'À la salle des fêtes, à 20 h.' }))
  expect(second.data.status).toBe('pending')
  await publish(made.id)
  expect((await mine()).hidden_because).toEqual([])
  expect((await got(reader.GET('/api/v1/publications/{id}', open))).data.titre).toBe('Concert de Noël')
})

test('a mairie publishes, warns, and decides on content attached to its commune', async () => {
  const { commune, hall } = await openCommune('Tramoyes')
  await mayPublish(hall.id)
  const club = await openActeur({ nom: 'Judo', type: 'association', commune_id: commune.id })
  const mayor = await takeOver(hall.id, 'mairie')
  const member = await takeOver(club.id, 'public')
  const me = (await got(mayor.GET('/api/v1/me'))).data
  const ours = me.acteurs.find(({ mairie_of }) => mairie_of.some(({ id }) => id === commune.id))
  const path = { acteurId: ours?.acteur_id ?? '' }

  const announced = await got(
    mayor.POST('/api/v1/mairie/acteurs/{acteurId}/publications', {
      params: { path },
      body: { title: 'Conseil municipal', body: 'Lundi à 19 h.' },
    }),
  )
  expect(announced.data.status).toBe('published')
  const tryout = { acteur_id: club.id, title: 'Essai gratuit', body: 'Samedi.' }
  const { id: waitingId } = (await got(member.POST('/api/v1/publications', { body: tryout }))).data

  const list = await got(
    mayor.GET('/api/v1/mairie/acteurs/{acteurId}/publications', {
      params: { path, query: { supervision: 'true', moderation_status: ['pending', 'published'] } },
    }),
  )
  expect(list.data.map(({ id, status, may_moderate }) => ({ id, status, may_moderate }))).toEqual([
    { id: waitingId, status: 'pending', may_moderate: true },
    { id: announced.data.id, status: 'published', may_moderate: true },
  ])
  const decided = await got(
    mayor.PATCH('/api/v1/mairie/acteurs/{acteurId}/publications/{publicationId}/moderate', {
      params: { path: { ...path, publicationId: waitingId } },
      body: { moderation_status: 'published' },
    }),
  )
  expect(decided.data).toMatchObject({ status: 'published', hidden_because: [] })

  const alertes = '/api/v1/mairie/acteurs/{acteurId}/alertes'
  const body = { titre: 'Verglas', message: 'Prudence ce matin.', niveau: 'urgence' } as const
  await got(mayor.POST(alertes, { params: { path }, body }))
  expect((await got(mayor.GET(alertes, { params: { path } }))).meta.total).toBe(1)
  const elsewhere = await openCommune('Rillieux')
  const theirs = { params: { path: { acteurId: elsewhere.hall.id } } }
  expect(await refused(mayor.GET('/api/v1/mairie/acteurs/{acteurId}/publications', theirs))).toBe(
    '403 scope_violation',
  )
})

test('a moderator works through queue and reports, decides in bulk, and undoes decisions', async () => {
  const { commune } = await openCommune('Neyron')
  const { id: acteur_id } = await openActeur({ nom: 'Tarot', type: 'association', commune_id: commune.id })
  const app = await takeOver(acteur_id, 'public')
  const ids: string[] = []
  for (const title of ['Tournoi', 'Assemblée', 'Publicité']) {
    const body = { acteur_id, title, body: 'Au foyer.' }
    ids.push((await got(app.POST('/api/v1/publications', { body }))).data.id)
  }
  const me = (await got(moderator.GET('/api/v1/me'))).data
  expect(me.areas).toContain('publications')
  const before = await got(moderator.GET('/api/v1/admin/dashboard'))

  const query = { moderation_status: ['pending' as const], sort: 'created_at_asc' as const, acteur_id }
  const queue = () => got(moderator.GET('/api/v1/admin/publications', { params: { query } }))
  expect((await queue()).data.map(({ id }) => id)).toEqual(ids)
  const bulk = (ids: string[], moderation_status: 'pending' | 'published' | 'approved' | 'rejected') =>
    got(moderator.PATCH('/api/v1/admin/publications/bulk/moderate', { body: { ids, moderation_status } }))
  const decided = await bulk(ids, 'published')
  expect(decided.meta).toMatchObject({ updated: 3, unchanged: 0, not_found: 0, deleted: 0 })
  expect((await queue()).meta.total).toBe(0)

  // One decision was wrong: the previous values show how to revert it.
  const [one] = decided.data.filter(({ id }) => id === ids[2])
  expect(one?.previous).toEqual({ moderation_status: 'pending', valide: false })
  if (one?.previous) await bulk([one.id], one.previous.moderation_status)
  expect((await queue()).data.map(({ id }) => id)).toEqual([ids[2]])
  const after = await got(moderator.GET('/api/v1/admin/dashboard'))
  expect(after.publications_pending).toBe((before.publications_pending ?? 0) - 2)

  const id = ids[0] ?? ''
  const open = { params: { path: { id } } }
  const complaint = { category: 'inappropriate' as const, message: 'Jeux d’argent.' }
  await got(reader.POST('/api/v1/publications/{id}/report', { ...open, body: complaint }))
  const reported = await got(
    moderator.GET('/api/v1/admin/publications', { params: { query: { reported: [true], acteur_id } } }),
  )
  expect(reported.data.map(({ id, reports_open }) => ({ id, reports_open }))).toEqual([
    { id, reports_open: 1 },
  ])
  const read = await got(moderator.GET('/api/v1/admin/publications/{id}', open))
  expect(read.data.reports).toMatchObject([{ ...complaint, closed_at: null }])
  const rejected = await got(
    moderator.PATCH('/api/v1/admin/publications/{id}/moderate', {
      params: { ...open.params, header: { 'If-Match': `"${read.data.version}"` } },
      body: { moderation_status: 'rejected', reason: 'Jeux d’argent' },
    }),
  )
  expect(rejected.data).toMatchObject({ status: 'rejected', reports_open: 0 })
  const history = await got(moderator.GET('/api/v1/admin/publications/{id}/reports', open))
  expect(history.data).toMatchObject([{ ...complaint, closed_at: expect.any(String) }])
  expect(await refused(moderator.GET('/api/v1/admin/users'))).toBe('403 admin_required')
})
