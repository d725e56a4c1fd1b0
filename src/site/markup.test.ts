import { FileSystemConfigLoader, HtmlValidate } from 'html-validate'
import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { insertPublished } from '../modules/acts/acts.test-kit.ts'
import { addressOf } from '../modules/acts/open.ts'
import { occultAct } from '../modules/acts/publishing.ts'
import { insertPublication } from '../modules/publications/publications.test-kit.ts'
import { cursorAfter } from '../modules/publications/reading/pages.ts'
import { operator } from '../platform/access/caller.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'

const world = await openWorld()
const { url, db } = world
const hall = await world.acteur({ type: 'mairie', valide: true })
const named = { nom: 'Chambéry', slug: 'chambery', codes_postaux: ['73000'] }
const commune = await world.commune({ ...named, mairie_actor_id: hall.id })
const acteur = await world.acteur({
  ...{ nom: 'Les Croqueurs', slug: 'croqueurs', commune_id: commune.id, valide: true },
  ...{
    description: 'Des pommes.\nEt des poires.',
    telephone: '04 79 00 00 00',
    email: 'croqueurs@example.org',
  },
})
for (let n = 0; n < 25; n++)
  await insertPublication(world, {
    ...{ slug: `fete-${n}`, title: `Fête ${'x'.repeat(n)} <b>& "pomme"</b>`, acteur_id: acteur.id },
    ...{ commune_id: commune.id, en_avant: n === 0, image_url: 'https://croqueurs.example/pomme.jpg' },
    body: '<h3>Titre</h3><p>Un <strong>texte</strong><br>et <a href="https://a.example/">un lien</a></p><ul><li>a</li></ul>',
    ...{ date_debut: '2099-10-04', heure_debut: '14:00', source_url: 'https://croqueurs.example/fete' },
  })
await db
  .insertInto('alertes')
  .values({
    ...{ id: uuidv7(), commune_id: commune.id, titre: 'Eau coupée', message: 'De 8 h à midi' },
    niveau: 'urgence',
  })
  .execute()
await db
  .insertInto('collectes')
  .values({
    ...{
      id: uuidv7(),
      commune_id: commune.id,
      type_dechet: 'verre',
      libelle: 'Verre',
      mode: 'porte_a_porte',
    },
    ...{
      jours: ['mardi'],
      toutes_les_semaines: 1,
      dates: [],
      exceptions: '[]',
      position: 0,
      secteur: 'Centre',
    },
  } as never)
  .execute()
await world.commune({ nom: 'Vide', slug: 'vide' })
const admin = await world.as('admin')
const { id: withStreets } = await world.commune({ nom: 'Rueville', slug: 'rueville' })
const collecte = { type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte', jours: ['samedi'] }
await admin.patch(`/admin/communes/${withStreets}`, {
  collectes: ['Nord', 'Sud'].map((secteur) => ({ ...collecte, secteur })),
})
const [{ id: nord }] = (await admin.get(`/mairie/communes/${withStreets}/secteurs`)).body.data
await admin.patch(`/mairie/communes/${withStreets}/secteurs/${nord}`, { rues: [{ rue: 'Rue Haute' }] })
const { id: acteur_id } = await world.acteur({
  type: 'intercommunalite',
  valide: true,
  nom: 'CC <des> Pommes',
})
const group = {
  id: uuidv7(),
  slug: 'cc-des-pommes',
  nom: 'CC <des> Pommes & Poires',
  kind: 'epci',
  acteur_id,
}
const empty = { id: uuidv7(), slug: 'sans-membre', nom: 'Sans membre', kind: 'autre' }
await db.insertInto('groups').values([group, empty]).execute()
for (const date_debut of [null, '2099-03-03'])
  await insertPublication(world, {
    acteur_id,
    date_debut,
    title: 'Collecte <des> pommes',
    slug: `collecte-${date_debut}`,
  })
await db.insertInto('group_communes').values({ group_id: group.id, commune_id: commune.id }).execute()
await db
  .insertInto('alertes')
  .values({ id: uuidv7(), acteur_id, titre: 'Eau <non> potable', message: '"Bouillir"', niveau: 'urgence' })
  .execute()
const first = await insertPublished(db, {
  acteur_id: hall.id,
  title: 'Tarifs <b>& "pommes"</b>',
  number: '1',
})
const second = await insertPublished(db, { acteur_id: hall.id, title: 'Tarifs', supersedes: first.id })
const asked = { reason: 'Décision <de> la CNIL', now: new Date() }
const removed = await insertPublished(db, { acteur_id: hall.id, title: 'Retiré', subject: '7.1' })
await occultAct(db, operator, { acteurId: hall.id, id: removed.id }, asked)

const page = { commune_id: commune.id, body: '<h3>Titre</h3><p>Un <b>texte</b></p>', status: 'published' }
const parent_id = uuidv7()
await db
  .insertInto('commune_pages')
  .values([
    { ...page, id: parent_id, slug: 'ecole', title: 'École <b>& "cantine"</b>', position: 1 },
    {
      ...{ ...page, id: uuidv7(), parent_id, slug: 'cantine', title: 'Cantine', position: 2 },
      contacts: JSON.stringify([
        {
          nom: 'Service <scolaire>',
          adresse: '1 rue "B"',
          telephone: '04 79 00 00 00',
          email: 'a@example.org',
        },
      ]),
    },
    { ...page, id: uuidv7(), parent_id, slug: 'garderie', title: 'Garderie', position: 3 },
  ])
  .execute()

const now = new Date()
const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15))
  .toISOString()
  .slice(0, 7)
const pageFrom = (year: string) =>
  `/publications?after=${cursorAfter({ publie_le: new Date(year), id: commune.id, en_avant: false })}`
const subs = [
  ...['', '/publications', '/publications?q=rien', ...['2040', '2000'].map(pageFrom)],
  ...['/publications?embed=1', '/agenda', `/agenda?mois=${nextMonth}`, '/collectes', '/collectes?annee=1'],
  ...[
    '/alertes',
    '/alertes?embed=1',
    '/elus',
    '/acteurs',
    '/acteurs?type=association',
    '/acteurs?q=croqeurs',
    '/defibrillateurs',
  ],
  ...['/pages', '/integrer', '/suivre', '/abonnement', '/actes', '/actes?q=rien', '/actes?page=9'],
]
const groupSubs = [
  ...['/publications', '/publications?q=rien', '/publications?embed=1', '/collectes', '/suivre'],
  ...['/abonnement', '/abonnement?adresse=rue+haute'],
  ...['/agenda', `/agenda?mois=${nextMonth}`, '/agenda?embed=1', '/alertes', '/alertes?embed=1'],
]
const paths = [
  ...[
    '/',
    '/communes',
    '/communes?departement=01',
    '/communes?q=xyzzy',
    '/recherche',
    '/recherche?q=fete',
    '/communes/chambery/recherche?q=bacs+fete',
    '/recherche?q=xyzzy',
  ],
  ...[
    '/defibrillateurs',
    '/defibrillateurs?q=mairie',
    '/contact',
    '/mentions-legales',
    '/confidentialite',
    '/regles',
    '/transparence',
  ],
  ...['/accessibilite', '/donnees', '/publications/fete-3', '/publications/fete-3/signaler'],
  ...[first, second, removed].map((act) => `/actes/${addressOf(act)}`),
  ...['/communes/chambery/pages/ecole', '/communes/chambery/pages/cantine'],
  ...['/groupes', '/groupes?q=pommes', '/groupes?q=xyzzy', '/groupes?page=9', '/groupes?departement=01'],
  ...['/groupes/cc-des-pommes', '/groupes/sans-membre', '/groupes/cc-des-pommes/actes'],
  ...['', '?adresse=rue+haute'].map((query) => `/groupes/cc-des-pommes/collectes${query}`),
  ...['cc-des-pommes', 'sans-membre'].flatMap((slug) => groupSubs.map((sub) => `/groupes/${slug}${sub}`)),
  ...['/acteurs/croqueurs', '/acteurs/croqueurs/revendiquer', '/rien-de-tel'],
  ...['', '/collectes', '/collectes?adresse=x', '/abonnement'].map((sub) => `/communes/rueville${sub}`),
  ...['chambery', 'vide'].flatMap((slug) => subs.map((sub) => `/communes/${slug}${sub}`)),
]

const validator = new HtmlValidate(
  new FileSystemConfigLoader({
    root: true,
    extends: ['html-validate:recommended', 'html-validate:a11y', 'html-validate:document'],
    rules: {
      // How the markup is written, which no reader sees.
      'no-trailing-whitespace': 'off',
      'doctype-style': 'off',
      'void-style': 'off',
      'attribute-boolean-style': 'off',
      'attribute-empty-style': 'off',
      // A phone number is text of people: no space in it is lost.
      'tel-non-breaking': 'off',
      // The stylesheet comes from the same server as the page.
      'require-sri': 'off',
      // Titles are those of people, of up to 200 characters.
      'long-title': 'off',
    },
  }),
)

async function faultsOf(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${ruleId}: ${message}: ${html.split('\n')[line - 1]}`),
  )
}
const open = (path: string, init: RequestInit = {}) =>
  fetch(`${url}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual', ...init })

test.each(paths)('the markup of %s is valid', async (path) => {
  const response = await open(path)
  expect([200, 404]).toContain(response.status)
  expect(await faultsOf(await response.text())).toEqual([])
})

test.each(['/contact', '/publications/fete-3/signaler', '/acteurs/croqueurs/revendiquer'])(
  'the markup of %s is valid when the form is refused',
  async (path) => {
    const body = new URLSearchParams({ message: '<x>', email: 'no', moment: 'x' })
    const response = await open(path, { method: 'POST', body })
    expect(response.status).toBe(422)
    expect(await faultsOf(await response.text())).toEqual([])
  },
)
