// Not on another PostgreSQL, because other files run its statements too.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertDefibrillateur } from '../../src/modules/defibrillateurs/defibrillateurs.test-kit.ts'
import { insertPublication, restrictedSource } from '../../src/modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import type { Answer } from '../support/client.ts'
import { sampled } from '../support/sample.ts'
import { openWorld } from '../support/world.ts'

/** A public record with a unique word, and the ids it belongs to. */
type Thing = { word: string; at: Record<string, string | null> }
type Kind = {
  /** Creates a record, public unless the values hide it. */
  make(word: string, values?: object): Promise<Thing>
  /** Ways to hide it, by administrators or by time. */
  hide: Record<string, (thing: Thing) => Promise<unknown>>
  /** Hidden from the start. */
  born: Record<string, object>
  /** Public reads that show it; new ones are probed automatically. */
  shownBy: string[]
  /** Other queries that find it. */
  asks?: string[]
}

const reads: string[] = []
const one = await openWorld({
  watchRoutes: ({ method, url, config }) => {
    if (method === 'GET' && config?.scope?.audience === 'public') reads.push(url.replace('/api/v1', ''))
  },
})
// A second instance, which learns of changes only through notifications.
const other = await openWorld({ database: one.database })
const { db, acteur, commune } = one
const start = '2026-11-20T12:00:00.000Z'
for (const instance of [one, other]) instance.setClock(start)
const admin = await one.as('admin')

const done = async (answer: Promise<{ status: number }>) => expect((await answer).status).toBe(200)
const place = await commune()
const local = await restrictedSource(one, [place.id])
const elsewhere = await restrictedSource(one, [(await commune()).id])
const inPlace = { commune: place.id, communeSlug: place.slug, insee: place.code_insee }

const publication: Kind = {
  async make(word, values = {}) {
    const author = await acteur({ valide: true, commune_id: place.id })
    const text = { title: `Fête ${word}`, body: `Texte ${word}` }
    const featured = { en_avant: true, epingle: true, date_debut: '2026-12-24' }
    const belongs = { acteur_id: author.id, commune_id: place.id }
    const row = await insertPublication(one, { ...text, ...featured, ...belongs, ...values })
    return {
      word,
      at: { id: row.id, slug: row.slug, acteur: author.id, acteurSlug: author.slug, ...inPlace },
    }
  },
  hide: {
    'not valid': ({ at }) => done(admin.patch(`/admin/publications/${at.id}/valide`, { valide: false })),
    pending: ({ at }) =>
      done(admin.patch(`/admin/publications/${at.id}/moderate`, { moderation_status: 'pending' })),
    rejected: ({ at }) =>
      done(admin.patch(`/admin/publications/${at.id}/moderate`, { moderation_status: 'rejected' })),
    'rejected among others': ({ at }) =>
      done(admin.patch('/admin/publications/bulk/moderate', { ids: [at.id], moderation_status: 'rejected' })),
    deleted: ({ at }) => done(admin.delete(`/admin/publications/${at.id}`)),
    'of an inactive acteur': ({ at }) =>
      done(admin.patch(`/admin/acteurs/${at.acteur}/active`, { active: false })),
    'of a deleted acteur': ({ at }) => done(admin.delete(`/admin/acteurs/${at.acteur}`)),
  },
  born: {
    'without a time': { moderation_status: 'approved', publie_le: null },
    'still to come': { publie_le: sql<Date>`now() + interval '1 hour'` },
    'approved and still to come': {
      moderation_status: 'approved',
      publie_le: sql<Date>`now() + interval '1 hour'`,
    },
  },
  shownBy: [
    '/publications',
    '/publications/:id',
    '/acteurs/:acteurId/publications',
    '/communes/:communeId/publications',
  ],
}

const association: Kind = {
  async make(word, values = {}) {
    const row = await acteur({ nom: `Club ${word}`, valide: true, commune_id: place.id, ...values })
    return { word, at: { id: row.id, slug: row.slug, ...inPlace } }
  },
  hide: {
    'not valid': ({ at }) => done(admin.patch(`/admin/acteurs/${at.id}/validate`, { valide: false })),
    inactive: ({ at }) => done(admin.patch(`/admin/acteurs/${at.id}/active`, { active: false })),
    deleted: ({ at }) => done(admin.delete(`/admin/acteurs/${at.id}`)),
  },
  born: { 'not valid yet': { valide: false } },
  shownBy: ['/acteurs/:idOrSlug', '/communes/:communeId/acteurs'],
}

/** Each mairie has its own commune. */
async function openHall(values: object = {}) {
  const town = await commune()
  const hall = await acteur({ type: 'mairie', valide: true, commune_id: town.id, ...values })
  await db.updateTable('communes').set({ mairie_actor_id: hall.id }).where('id', '=', town.id).execute()
  return { id: hall.id, slug: hall.slug, commune: town.id, communeSlug: town.slug }
}
const ofHalls = {
  'of an inactive mairie': ({ at }: Thing) =>
    done(admin.patch(`/admin/acteurs/${at.id ?? at.acteur}/active`, { active: false })),
  'of a deleted mairie': ({ at }: Thing) => done(admin.delete(`/admin/acteurs/${at.id ?? at.acteur}`)),
}

const contact: Kind = {
  async make(word, values = {}) {
    const { id, slug, ...town } = await openHall({
      nom: `Mairie ${word}`,
      adresse: `1 rue ${word}`,
      ...values,
    })
    return { word, at: { id, slug, ...town } }
  },
  hide: ofHalls,
  born: { inactive: { active: false } },
  shownBy: ['/acteurs/:idOrSlug', '/communes/:communeId/acteurs', '/communes/:id/infos'],
}

const at = (time: string) => new Date(`2026-11-20T${time}Z`)
const alerte: Kind = {
  async make(word, values = {}) {
    const { id: acteur_id, slug: _, ...town } = await openHall()
    const text = { titre: `Alerte ${word}`, message: word, niveau: 'urgence', fin: at('13:00:00') }
    await db
      .insertInto('alertes')
      .values({ id: uuidv7(), acteur_id, ...text, ...values })
      .execute()
    return { word, at: { acteur: acteur_id, ...town } }
  },
  hide: {
    ...ofHalls,
    'at its end': async () => {
      for (const instance of [one, other]) instance.setClock('2026-11-20T13:00:00.000Z')
    },
  },
  born: { over: { fin: at('11:59:59') }, 'still to come': { debut: at('12:00:01') } },
  shownBy: ['/communes/:communeId/alertes'],
}

const statut = (level: '' | '-france', statut_admin: string) => (thing: Thing) =>
  done(admin.patch(`/admin/defibrillateurs${level}/${thing.at.id}`, { statut_admin }))
const seenNoMore = (values: { absent_depuis: Date } | { retenu: boolean }) => (thing: Thing) =>
  db.updateTable('defibrillateurs').set(values).where('id', '=', `${thing.at.id}`).execute()
const defibrillateur: Kind = {
  async make(word, values = {}) {
    const where = { code_insee: place.code_insee, latitude: 45.6, longitude: 4.1 }
    const row = await insertDefibrillateur(db, { nom: `Mairie ${word}`, ...where, ...values })
    return { word, at: { id: row.id, gid: row.gid, ...inPlace } }
  },
  hide: {
    'masked by its commune': statut('', 'masque'),
    'masked for France': statut('-france', 'masque'),
    'to be looked at in its commune': statut('', 'a_verifier'),
    'to be looked at for France': statut('-france', 'a_verifier'),
    absent: seenNoMore({ absent_depuis: new Date() }),
    'in an unusual condition': seenNoMore({ retenu: false }),
  },
  born: {
    'masked as it comes': { statut_admin_france: 'masque' },
    'absent as it comes': { absent_depuis: new Date() },
    'out of order': { retenu: false, etat_fonctionnement: 'Hors service' },
  },
  shownBy: ['/communes/:id/defibrillateurs', '/defibrillateurs'],
  asks: ['lat=45.6&lon=4.1', `code_insee=${place.code_insee}`, 'lat=45.6&lon=4.1&ouvert=true'],
}

const kinds = { publication, association, contact, alerte, defibrillateur }

/** Every public read with each of its ids for each parameter. */
const places = (thing: Thing): Place[] =>
  reads.flatMap((route) => {
    const keys = route.includes(':') ? Object.keys(thing.at) : ['']
    return keys.map((key) => ({ route, key, asked: '' }))
  })
type Place = { route: string; key: string; asked: string }
const byWord = 'q='
const pathOf = ({ route, key, asked }: Place, { word, at }: Thing) =>
  `${route.replace(/:\w+/, at[key] ?? '')}${asked && `?${asked === byWord ? `q=${word}` : asked}`}`
const totalOf = (body: Answer['body']): number | undefined => body?.meta?.total ?? body?.meta?.count

let made = 0
const newWord = () => `zyx${Array.from(String(++made), (digit) => 'bcdfghjklm'[Number(digit)]).join('')}q`
const unknown = uuidv7()

const cases = Object.entries(kinds).flatMap(([name, { hide, born }]) => [
  ...Object.keys(hide).map((state) => [name, state] as const),
  ...Object.keys(born).map((state) => [name, state] as const),
])
const showing = new Map<string, Place[]>()

/** Determined once: the reads in which a thing of this kind appears. */
async function placesOf(name: string, kind: Kind): Promise<Place[]> {
  const found = showing.get(name)
  if (found !== undefined) return found
  const thing = await kind.make(newWord())
  const shown: Place[] = []
  for (const where of places(thing)) {
    const { text, body } = await one.get(pathOf(where, thing))
    if (!text.includes(thing.word)) continue
    shown.push(where)
    if (body.meta?.total === undefined) continue
    for (const asked of [byWord, ...(kind.asks ?? [])]) shown.push({ ...where, asked })
  }
  showing.set(name, shown)
  return shown
}

test.each(Object.entries(kinds))('%s: each read that shows it is tested', async (name, kind) => {
  const shown = await placesOf(name, kind)
  expect([...new Set(shown.map(({ route }) => route))].sort()).toEqual(kind.shownBy.toSorted())
})

test.each(sampled(cases, 1 / 3))(
  '%s, %s: no client can read it, and no instance serves it cached',
  async (name, state) => {
    const kind: Kind = kinds[name as keyof typeof kinds]
    const hide = kind.hide[state]
    const thing = await kind.make(newWord(), kind.born[state])
    const where = await placesOf(name, kind)
    const seen = new Map<string, { etag: string; total: number | undefined }>()
    for (const place of hide === undefined ? [] : where) {
      const path = pathOf(place, thing)
      for (const instance of [one, other]) {
        const { text, headers, body } = await instance.get(path, { source: local })
        expect(text, path).toContain(thing.word)
        seen.set(path, { etag: headers.get('etag') ?? '', total: totalOf(body) })
      }
    }
    await hide?.(thing)
    for (const place of where) {
      const path = pathOf(place, thing)
      const before = seen.get(path)
      const withTag = { headers: { 'if-none-match': before?.etag ?? '"none"' } }
      for (const ask of [
        () => other.get(path, { source: local, ...withTag }),
        () => one.get(path, withTag),
        () => one.get(path, { source: elsewhere }),
        () => other.send('HEAD', path, undefined, { source: local, ...withTag }),
      ]) {
        const answer = await ask()
        expect(answer.status, path).not.toBe(304)
        expect(answer.text, path).not.toContain(thing.word)
        // Exactly the response for something that never existed.
        if (answer.status !== 200)
          expect([answer.status, answer.text]).toEqual([
            404,
            answer.text && (await one.get(`/publications/${unknown}`)).text,
          ])
        else if (place.asked === byWord && answer.text !== '') expect(totalOf(answer.body), path).toBe(0)
      }
      if (before?.total === undefined) continue
      const { status, body } = await other.get(path, { source: local })
      if (status === 200) expect(totalOf(body), path).toBe(before.total - 1)
    }
    for (const instance of [one, other]) instance.setClock(start)
  },
)

test('no user can report, change or read as their own a record that is hidden from them', async () => {
  const { token } = await one.user({
    memberships: [{ acteur: await acteur({ valide: true }), role: 'owner' }],
  })
  const stranger = one.client({ token })
  const thing = await publication.make(newWord(), { valide: false })
  const ask = (id: string | null | undefined) => [
    () => stranger.post(`/publications/${id}/report`, { category: 'spam' }),
    () => stranger.patch(`/publications/${id}`, { title: 'Autre' }),
    () => stranger.delete(`/publications/${id}`),
    () => stranger.patch(`/publications/${id}/moderate`, { moderation_status: 'approved' }),
    () => stranger.get(`/me/publications/${id}`),
  ]
  const ofUnknown = ask(unknown)
  for (const [index, ofHidden] of ask(thing.at.id).entries()) {
    const [answer, never] = [await ofHidden(), await ofUnknown[index]?.()]
    expect([answer.status, answer.text]).toEqual([404, never?.text])
  }
  expect((await stranger.get('/me/publications')).text).not.toContain(thing.word)
})
