import { expect } from 'vitest'
import {
  insertPublication,
  insertPublications,
} from '../../src/modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriers,
  barriersInBothThemes,
  barriersInEveryLook,
  builtWebApp,
  intercept,
  meanwhile,
  openPage,
  overflowsSideways,
  story,
  toggle,
  typeDate,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp, env: { PUBLIC_SITE_URL: 'https://www.example.org' } })
const { url, db } = world
const moderator = await world.user({ roles: ['moderator'], nom: 'Zoé Lambert' })
const session = await openSession(db, moderator.id)
const chambery = await world.commune({ nom: 'Chambéry' })
const croqueurs = await world.acteur({ nom: 'Les Croqueurs de pommes', commune_id: chambery.id })
const pending = { moderation_status: 'pending', valide: false, publie_le: null } as const

type Values = Parameters<typeof insertPublication>[1]

/** Inserts these as the only publications, in this order. */
async function insertOnly(...each: Values[]) {
  await db.deleteFrom('publications').execute()
  const owned = { acteur_id: croqueurs.id, commune_id: chambery.id }
  const createdAt = (index: number) => new Date(Date.now() - 60_000 * (100 - index))
  return insertPublications(
    world,
    each.map((values, index) => ({ ...owned, created_at: createdAt(index), ...values })),
  )
}

const statesOf = async (...ids: (string | undefined)[]) => {
  const rows = await db.selectFrom('publications').select(['id', 'moderation_status']).execute()
  return ids.map((id) => rows.find((row) => row.id === id)?.moderation_status)
}

const report = (publication_id: string, message: string) =>
  world.post(`/publications/${publication_id}/report`, { category: 'wrong', message })

story('reports are closed, reopened by undo, and upheld by a rejection, by keyboard alone', async () => {
  const [fair, sale] = await insertOnly({ title: 'Fête de la pomme' }, { title: 'Vide-grenier' })
  for (const row of [fair, sale]) expect((await report(row?.id ?? '', 'La date est fausse')).status).toBe(201)
  const page = await openPage({ url, session })
  await page.goto('/backoffice/reports')
  await page.getByRole('grid', { name: 'Signalements' }).getByRole('row').nth(1).waitFor()
  await page.getByRole('article').getByText('La date est fausse').waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  // "Nothing wrong" is no louder than a rejection.
  const look = (key: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('[aria-keyshortcuts=${key}]')).backgroundColor`)
  expect(await look('c')).toBe(await look('r'))
  await page.keyboard.press('c')
  await page.getByText('Signalements classés : Fête de la pomme').waitFor()
  await page.getByRole('heading', { name: 'Vide-grenier' }).waitFor()
  await page.keyboard.press('u')
  await page.getByRole('heading', { name: 'Fête de la pomme' }).waitFor()
  // It is in the list again.
  await page.getByRole('row', { name: 'Fête de la pomme' }).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('heading', { name: 'Vide-grenier' }).waitFor()
  await page.keyboard.press('r')
  await page.getByRole('textbox', { name: 'Motif' }).fill('La date est passée')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Rejetée : Vide-grenier').waitFor()
  await page.getByText('Tout est traité').waitFor()
  expect(await statesOf(fair?.id, sale?.id)).toEqual(['published', 'rejected'])
  // What is reported again after that waits again.
  expect((await report(fair?.id ?? '', 'Le lieu aussi')).status).toBe(201)
  await page.getByRole('button', { name: '1 nouvelle' }).click()
  await page.getByRole('row', { name: 'Fête de la pomme' }).waitFor()
})

story('an accepted publication is shown as scheduled, published or without a date', async () => {
  const approved = { moderation_status: 'approved', valide: true } as const
  await insertOnly(
    { ...approved, title: 'Demain', publie_le: new Date(Date.now() + 86_400_000) },
    { ...approved, title: 'Hier', publie_le: new Date(Date.now() - 86_400_000) },
    { ...approved, title: 'Un jour', publie_le: null },
  )
  const page = await openPage({ url, session })
  await page.goto('/backoffice/publications')
  for (const [title, status] of [
    ['Demain', 'Programmée'],
    ['Hier', 'Publiée'],
    ['Un jour', 'Acceptée, sans date'],
  ] as const)
    await page.getByRole('row', { name: title }).getByText(status, { exact: true }).waitFor()
})

story('the reports of several publications are closed at once, and one undo reopens them', async () => {
  const rows = await insertOnly({ title: 'Fête de la pomme' }, { title: 'Vide-grenier' })
  for (const { id } of rows) expect((await report(id, 'La date est fausse')).status).toBe(201)
  const page = await openPage({ url, session })
  await page.goto('/backoffice/reports')
  await page.getByRole('grid', { name: 'Signalements' }).getByRole('row').nth(1).waitFor()
  await page.getByRole('article').getByRole('button', { name: 'Rejeter' }).waitFor()
  for (const key of ['x', 'j', 'x', 'c']) await page.keyboard.press(key)
  await page.getByText('Signalements de 2 publications classés.').waitFor()
  await page.getByText('Tout est traité').waitFor()
  await page.keyboard.press('u')
  for (const name of ['Fête de la pomme', 'Vide-grenier']) await page.getByRole('row', { name }).waitFor()
})

story('duplicates: differing words are marked, one is kept, and undo restores the others', async () => {
  const duplicate_key = `s:${'a'.repeat(32)}`
  const [morning, evening, other] = await insertOnly(
    { ...pending, duplicate_key, title: 'Fête de la pomme', body: 'Pressage samedi matin.' },
    { ...pending, duplicate_key, title: 'Fête de la pomme', body: 'Pressage samedi soir.' },
    { ...pending, title: 'Vide-grenier' },
  )
  const page = await openPage({ url, session })
  await page.goto('/backoffice/duplicates')
  const members = page.getByRole('list', { name: 'Publications qui se ressemblent' })
  await members.waitFor()
  await expect.poll(() => members.locator('ins').allInnerTexts()).toEqual(['matin', 'soir'])
  // Where nearly all words differ, none is marked.
  await db
    .updateTable('publications')
    .set({ body: 'Rendez-vous à la salle des fêtes dès neuf heures.' })
    .where('id', '=', evening?.id ?? '')
    .execute()
  await page.reload()
  await expect.poll(() => members.getByText('Textes différents').count()).toBe(2)
  expect(await members.locator('ins').count()).toBe(0)
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.keyboard.press('m')
  const rejecting = page.getByRole('dialog', { name: 'Motif des rejets' })
  await rejecting.getByRole('button', { name: 'Spam' }).click()
  expect(await barriersInBothThemes(page)).toEqual([])
  await rejecting.getByRole('button', { name: 'Retenir ce motif' }).click()
  await page.getByRole('button', { name: 'Motif des rejets : Spam' }).waitFor()
  await page.keyboard.press('2')
  await page.getByText('2 décisions enregistrées').waitFor()
  await page.getByText('Aucun doublon').waitFor()
  const given = db
    .selectFrom('statements')
    .select('ground')
    .where('record_id', '=', morning?.id ?? '')
  expect((await given.executeTakeFirstOrThrow()).ground).toMatchObject({ code: 'spam' })
  const ids = [morning?.id, evening?.id, other?.id]
  expect(await statesOf(...ids)).toEqual(['rejected', 'published', 'pending'])
  await page.keyboard.press('u')
  await members.waitFor()
  expect(await statesOf(...ids)).toEqual(['pending', 'pending', 'pending'])
})

story(
  'duplicates: a group is settled as not duplicates, by key and button, until another one joins',
  async () => {
    const duplicate_key = `s:${'b'.repeat(32)}`
    const market = {
      ...pending,
      duplicate_key,
      title: 'Marché',
      body: 'Sur la place.',
      acteur_id: croqueurs.id,
    }
    await insertOnly(market, market)
    const page = await openPage({ url, session, expects: /409/ })
    await page.goto('/backoffice/duplicates')
    const count = (members: number) => page.getByText(`${members} publications. Même acteur`)
    await count(2).waitFor()
    await page.keyboard.press('n')
    await page.getByText('2 publications séparées').waitFor()
    await page.getByText('Aucun doublon').waitFor()
    await page.keyboard.press('u')
    await count(2).waitFor()
    // Another one joins: the decision is refused, and the group is shown as it is now.
    await meanwhile(page, '**/bulk/distinguish', () => insertPublication(world, market))
    await page.getByRole('button', { name: 'Ce ne sont pas des doublons' }).click()
    await page.getByText('2 publications ont changé').waitFor()
    await count(3).waitFor()
    await page.getByRole('button', { name: 'Ce ne sont pas des doublons' }).click()
    await page.getByText('Aucun doublon').waitFor()
    await page.reload()
    await page.getByText('Aucun doublon').waitFor()
    const states = await db.selectFrom('publications').select('moderation_status').execute()
    expect(states.map(({ moderation_status }) => moderation_status)).toEqual(Array(3).fill('pending'))
    await insertPublication(world, market)
    await page.reload()
    await count(4).waitFor()
    expect(await barriersInBothThemes(page)).toEqual([])
  },
)

story('duplicates: when a colleague settles the group on the screen, no other takes its place', async () => {
  const [first, second] = [1, 2].map((digit) => ({
    ...pending,
    duplicate_key: `s:${String(digit).repeat(32)}`,
    title: `Fête ${digit}`,
  }))
  const rows = await insertOnly(first ?? {}, first ?? {}, second ?? {}, second ?? {})
  const page = await openPage({ url, session })
  await page.goto('/backoffice/duplicates')
  await page.getByRole('heading', { name: 'Fête 1' }).first().waitFor()
  const ids = rows.map(({ id }) => id)
  const colleague = await world.as('moderator')
  await colleague.patch('/admin/publications/bulk/distinguish', { ids: ids.slice(0, 2) })
  await page.getByText('Ce groupe n’est plus à traiter').waitFor()
  await page.keyboard.press('1')
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: 'Fête 2' }).first().waitFor()
  expect(await statesOf(...ids)).toEqual(Array(4).fill('pending'))
  await page.keyboard.press('1')
  await page.getByText('2 décisions enregistrées').waitFor()
  expect(await statesOf(...ids)).toEqual(['pending', 'pending', 'published', 'rejected'])
})

/** Members of a group of duplicates. */
const alike = (group: number, count: number, values: Values = pending): Values[] =>
  Array.from({ length: count }, (_, n) => ({
    ...values,
    duplicate_key: `s:${group.toString(16).padStart(32, '0')}`,
    title: `Fête ${group}`,
    body: `Pressage ${n}.`,
  }))

story('duplicates: groups of more than a hundred are decided to the end without a reload', async () => {
  const settled = [...alike(9, 1, {}), ...alike(9, 2, { ...pending, moderation_status: 'rejected' })]
  await insertOnly(
    ...settled,
    ...alike(1, 120),
    ...alike(2, 120),
    ...[3, 4, 5, 6].flatMap((n) => alike(n, 2)),
  )
  const page = await openPage({ url, session })
  await page.goto('/backoffice/duplicates')
  const cards = page.getByRole('list', { name: 'Publications qui se ressemblent' }).getByRole('listitem')
  const shows = (place: string, count: number) =>
    expect
      .poll(async () => [
        await page.getByText(/^Groupe \d/).allInnerTexts(),
        await page.getByText(/^\d+ publications\./).allInnerTexts(),
      ])
      .toEqual([[place], [expect.stringMatching(`^${count} publications`)]])
  await shows('Groupe 1 sur 6', 120)
  await page.getByText('Seules les 100 plus anciennes sont affichées.').waitFor()
  await expect.poll(() => cards.count()).toBe(100)
  await page.keyboard.press('2')
  // The rest of the group, with the publication that was kept.
  await shows('Groupe 1 sur 6', 21)
  await expect.poll(() => cards.filter({ hasText: 'Publiée' }).count()).toBe(1)
  await page.keyboard.press('1')
  await shows('Groupe 1 sur 5', 120)
  await page.keyboard.press('u')
  await shows('Groupe 1 sur 6', 21)
  await page.keyboard.press('1')
  for (const [place, count] of [
    ['Groupe 1 sur 5', 120],
    ['Groupe 1 sur 5', 21],
    ['Groupe 1 sur 4', 2],
    ['Groupe 1 sur 3', 2],
    ['Groupe 1 sur 2', 2],
    ['Groupe 1 sur 1', 2],
  ] as const) {
    await shows(place, count)
    await page.keyboard.press('1')
  }
  await page.getByText('Aucun doublon').waitFor()
  const kept = await db
    .selectFrom('publications')
    .select(['duplicate_key', ({ fn }) => fn.countAll<number>().as('count')])
    .where('moderation_status', '<>', 'rejected')
    .groupBy('duplicate_key')
    .execute()
  expect(kept.map(({ count }) => Number(count))).toEqual(Array(7).fill(1))
})

story('duplicates: further groups are loaded in time, also one cut by the end of a page', async () => {
  await insertOnly(...Array.from({ length: 40 }, (_, n) => alike(n + 1, 3)).flat())
  const page = await openPage({ url, session })
  await page.goto('/backoffice/duplicates')
  await page.getByText('Groupe 1 sur 33 au moins').waitFor()
  for (let place = 2; place <= 33; place++) {
    await page.keyboard.press('j')
    await page.getByText(`Groupe ${place} sur `).waitFor()
  }
  await page.getByText('Groupe 33 sur 40').waitFor()
  await page.keyboard.press('j')
  await page.getByText('Groupe 34 sur 40').waitFor()
  const cards = page.getByRole('list', { name: 'Publications qui se ressemblent' }).getByRole('listitem')
  await expect.poll(() => cards.count()).toBe(3)
})

story('duplicates: the queue leads to the group of a publication, however far down the list', async () => {
  const rows = await insertOnly(...Array.from({ length: 40 }, (_, n) => alike(n + 1, 3)).flat(), {
    ...pending,
    title: 'Vide-grenier',
  })
  const page = await openPage({ url, session })
  await page.goto(`/backoffice/queue?selected=${rows.at(-2)?.id}`)
  await page.getByRole('button', { name: 'Voir les doublons' }).waitFor()
  await page.keyboard.press('d')
  const members = page.getByRole('list', { name: 'Publications qui se ressemblent' })
  const group = members.getByRole('heading', { name: 'Fête 40' })
  await group.first().waitFor()
  await page.reload()
  await group.first().waitFor()
  await page.keyboard.press('1')
  await page.getByText('3 décisions enregistrées').waitFor()
  expect(await statesOf(...rows.slice(-4).map(({ id }) => id))).toEqual([
    ...['published', 'rejected', 'rejected'],
    'pending',
  ])
  await page.keyboard.press('u')
  await group.first().waitFor()
  await page.goto(`/backoffice/queue?selected=${rows.at(-1)?.id}`)
  await page.getByRole('heading', { name: 'Vide-grenier' }).waitFor()
  await page.keyboard.press('d')
  await page.getByText('Cette publication n’a pas de doublon.').waitFor()
  await page.goto(`/backoffice/duplicates?group=s:${'f'.repeat(32)}`)
  await page.getByText('Ce groupe n’est plus à traiter').waitFor()
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: 'Fête 1' }).first().waitFor()
})

story('duplicates: ten pages are loaded at most, and further groups come with decisions', async () => {
  await insertOnly(...Array.from({ length: 12 }, (_, n) => alike(n + 1, 100)).flat())
  const page = await openPage({ url, session })
  await page.goto('/backoffice/duplicates')
  const later = page.getByText('D’autres groupes apparaîtront ici')
  for (let place = 1; place < 10; place++) {
    await page.getByText(new RegExp(`Groupe ${place} sur .* au moins`)).waitFor()
    await expect.poll(() => later.count()).toBe(0)
    await page.getByRole('button', { name: 'Suivant' }).click()
  }
  await page.getByText('Groupe 10 sur 10 au moins').waitFor()
  await later.waitFor()
  await page.keyboard.press('1')
  await page.getByText('Groupe 9 sur 11').waitFor()
})

story('the list of publications has filters in the address, saved views and bulk actions', async () => {
  const rows = await insertOnly(
    { title: 'Fête de la pomme' },
    { ...pending, title: 'Fête de la poire' },
    { ...pending, title: 'Vide-grenier' },
  )
  const page = await openPage({ url, session })
  await page.goto('/backoffice/publications?page=99')
  const table = page.getByRole('grid', { name: 'Publications' })
  await expect.poll(() => table.getByRole('row').count()).toBe(4)
  expect(new URL(page.url()).search).toBe('')
  await page.getByRole('searchbox').fill('fête '.repeat(80))
  expect((await page.getByRole('searchbox').inputValue()).length).toBe(200)
  await page.getByRole('searchbox').fill('fête')
  await expect.poll(() => table.getByRole('row').count()).toBe(3)
  await page.getByRole('button', { name: 'Ajouter un filtre' }).click()
  await page.getByRole('menuitem', { name: 'État' }).click()
  await page.getByRole('option', { name: 'En attente' }).click()
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  expect(new URL(page.url()).search).toBe(`?q=${encodeURIComponent('fête')}&status=pending`)
  await page.getByRole('button', { name: 'Enregistrer cette vue' }).click()
  await page.getByLabel('Nom de la vue').fill('Fêtes en attente')
  expect(await barriersInBothThemes(page)).toEqual([])
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/me/views')) sent.push(request.url())
  })
  // Both presses come before the answer, after which something else is in their place.
  const pressed = Promise.withResolvers<void>()
  await intercept(page, '**/me/views', (route) => pressed.promise.then(() => route.continue()))
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).dblclick()
  pressed.resolve()
  await page.getByRole('button', { name: 'Fêtes en attente', exact: true }).waitFor()
  expect(sent).toHaveLength(1)
  await page.goto('/backoffice/publications')
  await page.getByRole('button', { name: 'Fêtes en attente', exact: true }).click()
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  // The way back from one publication leads to the same view.
  await page.getByRole('link', { name: 'Fête de la poire' }).click()
  await page.getByRole('article').getByRole('button', { name: 'Publications' }).click()
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await page.getByRole('button', { name: 'Supprimer la vue Fêtes en attente' }).click()
  await page.getByRole('button', { name: 'Fêtes en attente', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Rétablir' }).click()
  await page.getByRole('button', { name: 'Fêtes en attente', exact: true }).waitFor()
  await page.goto('/backoffice/publications')
  await expect.poll(() => table.getByRole('row').count()).toBe(4)

  for (const name of ['Fête de la poire', 'Vide-grenier'])
    await toggle(table.getByRole('row', { name }).getByRole('checkbox'))
  await page.getByText('2 sélectionnées').waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Supprimer', exact: true }).click()
  const deleting = page.getByRole('dialog', { name: 'Supprimer 2 publications' })
  await deleting.getByRole('button', { name: 'Spam' }).click()
  await deleting.getByRole('button', { name: 'Supprimer', exact: true }).click()
  await page.getByText('2 décisions enregistrées').waitFor()
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await page.keyboard.press('u')
  await expect.poll(() => table.getByRole('row').count()).toBe(4)
  expect(await statesOf(...rows.map(({ id }) => id))).toEqual(['published', 'pending', 'pending'])
})

story('all publications of the list are selected over pages, featured, and taken back at once', async () => {
  await insertOnly(...Array.from({ length: 103 }, (_, number) => ({ title: `Fête ${number}` })))
  const page = await openPage({ url, session, width: 360 })
  await page.goto('/backoffice/publications')
  const table = page.getByRole('grid', { name: 'Publications' })
  await toggle(table.getByRole('row', { name: 'Fête 100' }).getByRole('checkbox'))
  await page.getByRole('button', { name: 'Tout sélectionner (103)' }).click()
  await page.getByText('103 sélectionnées').waitFor()
  // The bar covers no link at the end of the list.
  await page.getByRole('navigation', { name: 'Pages' }).scrollIntoViewIfNeeded()
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Mettre en avant', exact: true }).click()
  await page.getByText('103 décisions enregistrées').waitFor()
  const featured = () => db.selectFrom('publications').select('id').where('en_avant', '=', true).execute()
  expect(await featured()).toHaveLength(103)
  await page.getByRole('button', { name: 'Annuler la décision' }).click()
  await page.getByText('La décision est annulée').waitFor()
  expect(await featured()).toHaveLength(0)
})

story('publications, the queue and reports are filtered by commune, acteur, type and source', async () => {
  const aix = await world.commune({ nom: 'Aix-les-Bains' })
  const chorale = await world.acteur({ nom: 'Chorale du lac', commune_id: aix.id })
  const type = await db
    .selectFrom('publication_types')
    .selectAll()
    .orderBy('libelle')
    .executeTakeFirstOrThrow()
  const source = { id: uuidv7(), nom: 'Agenda du lac', type: 'rss', url: 'https://feed.example/lac' }
  await db.insertInto('import_sources').values(source).execute()
  const sung = { acteur_id: chorale.id, commune_id: aix.id, type_id: type.id }
  const [older] = await insertOnly(
    { ...pending, ...sung, title: 'Répétition' },
    { ...pending, ...sung, title: 'Concert' },
    { ...pending, ...sung, title: 'Atelier', acteur_id: croqueurs.id },
    { ...pending, title: 'Fête de la pomme' },
    { ...sung, title: 'Concert passé' },
  )
  const item = { source_id: source.id, external_id: '1', said: '{}', run_id: uuidv7(), action: 'created' }
  await db
    .insertInto('import_items')
    .values({ ...item, publication_id: older?.id ?? '' })
    .execute()

  const page = await openPage({ url, session })
  const titles = async () => (await page.getByRole('row').allInnerTexts()).map((text) => text.split('\n')[0])
  const add = async (name: string, typed?: string) => {
    await page.getByRole('button', { name: 'Ajouter un filtre' }).press('Enter')
    await untilFocused(page.getByRole('menuitem').first())
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    const values = page.getByRole('dialog', { name })
    if (typed === undefined) return
    await untilFocused(values.getByRole('searchbox'))
    await page.keyboard.type(typed)
    if (name === 'Acteur') {
      await expect.poll(() => values.getByRole('option').count()).toBe(1)
      expect(await barriersInEveryLook(page)).toEqual([])
    }
    // Also before the results have arrived.
    await page.keyboard.press('Enter')
    await values.waitFor({ state: 'detached' })
  }
  await page.goto('/backoffice/queue')
  await expect.poll(titles).toEqual(['Fête de la pomme', 'Atelier', 'Concert', 'Répétition'])
  await add('Commune', 'aix')
  await expect.poll(titles).toEqual(['Atelier', 'Concert', 'Répétition'])
  await add('Acteur', 'lac')
  await expect.poll(titles).toEqual(['Concert', 'Répétition'])
  // One press turns the order round, and it is kept.
  await page.getByRole('button', { name: 'Les plus anciennes d’abord' }).click()
  await expect.poll(titles).toEqual(['Répétition', 'Concert'])
  await page.getByRole('button', { name: 'Enregistrer cette vue' }).click()
  await page.getByLabel('Nom de la vue').fill('Le lac')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Le lac', exact: true }).waitFor()
  await page.goto('/backoffice/queue')
  await expect.poll(titles).toEqual(['Répétition', 'Concert', 'Atelier', 'Fête de la pomme'])
  await page.getByRole('button', { name: 'Le lac', exact: true }).click()
  await expect.poll(titles).toEqual(['Répétition', 'Concert'])
  const chips = page.getByRole('list', { name: 'Filtres' })
  await chips.getByRole('button', { name: 'Acteur : Chorale du lac' }).waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await chips.getByRole('button', { name: 'Retirer le filtre Acteur' }).click()
  await expect.poll(titles).toEqual(['Répétition', 'Concert', 'Atelier'])

  await page.goto('/backoffice/publications')
  const table = page.getByRole('grid', { name: 'Publications' })
  await expect.poll(() => table.getByRole('row').count()).toBe(6)
  await add('Type')
  await page.getByRole('option', { name: type.libelle }).click()
  await expect.poll(() => table.getByRole('row').count()).toBe(5)
  await add('Source', 'agenda')
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await table.getByRole('row', { name: 'Répétition' }).waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await page.reload()
  await chips.getByRole('button', { name: 'Source : Agenda du lac' }).waitFor()
  await chips.getByRole('button', { name: `Type : ${type.libelle}` }).waitFor()
  await page.getByRole('button', { name: 'Tout effacer' }).click()
  await expect.poll(() => table.getByRole('row').count()).toBe(6)
})

story('a list stays when the window becomes narrow and wide again', async () => {
  await insertOnly({ title: 'Fête de la pomme', commune_id: chambery.id })
  const page = await openPage({ url, session })
  await page.goto('/backoffice/publications')
  const columns = page.getByRole('columnheader')
  const title = page.getByRole('link', { name: 'Fête de la pomme' })
  await expect.poll(() => columns.count()).toBe(6)
  for (const [width, count] of [
    [600, 2],
    [1280, 6],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => columns.count()).toBe(count)
    await title.waitFor()
  }
})

story('a publication has its own address, and its actions depend on its state', async () => {
  const [row] = await insertOnly({ title: 'Fête de la pomme' })
  const page = await openPage({ url, session, expects: /status of 404/ })
  await page.goto(`/backoffice/publications/${crypto.randomUUID()}`)
  await page.getByRole('alert').getByText('existe pas').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Réessayer' }).count()).toBe(0)
  await page.goto('/backoffice/publications')
  await page.getByRole('link', { name: 'Fête de la pomme' }).click()
  await page.getByRole('article').getByText('Publiée', { exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/backoffice/publications/${row?.id}`)
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Mettre en avant' }).click()
  const feature = page.getByRole('dialog', { name: 'Mettre en avant' })
  const end = feature.getByRole('group', { name: 'Jusqu’au' })
  await typeDate(end, '010120200800')
  await page.keyboard.press('Enter')
  await feature.getByText('Ce moment est passé.').waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  await typeDate(end, '01012099')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Ne plus mettre en avant' }).waitFor()
  const featured = db
    .selectFrom('publications')
    .select('featured_until')
    .where('id', '=', row?.id ?? '')
  expect((await featured.executeTakeFirstOrThrow()).featured_until).toEqual(new Date('2099-01-01T07:00:00Z'))
  // Administrators alone can pin.
  expect(await page.getByRole('button', { name: 'Épingler' }).count()).toBe(0)
  const statements = db
    .selectFrom('statements')
    .select(['restriction', 'ground', 'reason'])
    .where('record_id', '=', row?.id ?? '')
    .orderBy('id')
  await page.getByRole('button', { name: 'Ne plus mettre en avant' }).click()
  const unfeature = page.getByRole('dialog', { name: 'Ne plus mettre en avant' })
  await unfeature.getByRole('button', { name: 'Hors sujet' }).click()
  await unfeature.getByRole('textbox', { name: 'Motif' }).fill('La fête est passée.')
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await page.getByText('N’est plus mise en avant : Fête de la pomme').waitFor()
  expect(await statements.execute()).toMatchObject([
    { restriction: 'unfeatured', ground: { code: 'hors-sujet' }, reason: 'La fête est passée.' },
  ])
  await page.getByRole('button', { name: 'Supprimer', exact: true }).click()
  const deleting = page.getByRole('dialog', { name: 'Supprimer la publication' })
  await deleting.getByRole('button', { name: 'Spam' }).click()
  expect(await barriersInBothThemes(page)).toEqual([])
  await deleting.getByRole('button', { name: 'Supprimer', exact: true }).click()
  await page.getByText('Elle est supprimée.').waitFor()
  expect((await statements.execute()).at(-1)).toMatchObject({
    restriction: 'deleted',
    ground: { code: 'spam' },
    reason: null,
  })
  await page.getByRole('button', { name: 'Rétablir' }).click()
  await page.getByRole('button', { name: 'Supprimer', exact: true }).waitFor()
  const link = page.getByRole('link', { name: 'Voir sur le site public' })
  await expect.poll(() => link.getAttribute('href')).toBe(`https://www.example.org/publications/${row?.slug}`)
  await page.keyboard.press('r')
  await page.getByText('elle disparaîtra du site public').waitFor()
  await page.getByRole('textbox', { name: 'Motif' }).fill('Hors sujet')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Motif donné : Hors sujet').waitFor()
  await expect.poll(() => link.count()).toBe(0)
  expect(await statesOf(row?.id)).toEqual(['rejected'])
})

story('an administrator pins a publication; its image is removed by a correction', async () => {
  const image_url = 'https://croqueurs.example/pomme.jpg'
  const [row] = await insertOnly({ title: 'Fête de la pomme', image_url })
  const admin = await world.user({ roles: ['admin'], nom: 'Ada Byron' })
  const page = await openPage({ url, session: await openSession(db, admin.id, { hasShownFactor: true }) })
  await page.goto(`/backoffice/publications/${row?.id}`)
  await page
    .getByText(
      'L’image est encore sur un autre site : les lecteurs la verront quand elle aura été reprise ici',
    )
    .waitFor()
  await page.getByRole('button', { name: 'Épingler' }).click()
  await page.getByText('Épinglée en tête de la page de son acteur : Fête de la pomme').waitFor()
  await page.getByRole('button', { name: 'Ne plus épingler' }).waitFor()
  await page.getByRole('button', { name: 'Corriger' }).click()
  await toggle(page.getByRole('switch', { name: 'Retirer l’image' }))
  await page.getByRole('button', { name: 'Enregistrer la correction' }).click()
  await page.getByText('Corrigée : Fête de la pomme').waitFor()
  const stored = db
    .selectFrom('publications')
    .select(['image_url', 'epingle'])
    .where('id', '=', row?.id ?? '')
  expect(await stored.executeTakeFirstOrThrow()).toEqual({ image_url: null, epingle: true })
})

story('screens of publications pass the accessibility check on a phone, dark, in English', async () => {
  const duplicate_key = `s:${'a'.repeat(32)}`
  const title = 'Vide-grenier des habitants du quartier de la Croix-Rouge'
  const [row] = await insertOnly({ ...pending, duplicate_key, title }, { ...pending, duplicate_key, title })
  const page = await openPage({ url, session, width: 360, dark: true })
  await page.addInitScript(`localStorage.setItem('parvis.settings', '{"language":"en"}')`)
  const heading = (name: string) => page.getByRole('heading', { name }).first().waitFor()
  for (const [path, ready] of [
    ['publications', 'Publications'],
    [`publications/${row?.id}`, title],
    ['duplicates', title],
    ['reports', 'Reports'],
  ] as const) {
    await page.goto(`/backoffice/${path}`)
    await heading(ready)
    expect(await barriers(page), path).toEqual([])
    expect(await overflowsSideways(page), path).toEqual([])
  }
})
