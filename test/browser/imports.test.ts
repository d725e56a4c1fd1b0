import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { allowPrivate, openFeedServer, rss } from '../../src/modules/imports/imports.test-kit.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriers,
  builtWebApp,
  intercept,
  openPage,
  overflowsSideways,
  story,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp, env: { ...allowPrivate, SECOND_FACTOR: 'none' } })
const { url, db, user, acteur, commune } = world
const feeds = await openFeedServer()
await world.runJobs()
const chambery = await commune({ nom: 'Chambéry' })
const library = await acteur({
  nom: 'Médiathèque Jean-Vilar',
  valide: true,
  commune_id: (await commune()).id,
})

async function openAs(options: { width?: number; dark?: boolean; expects?: RegExp } = {}): Promise<Page> {
  const { id } = await user({ roles: ['admin'], nom: 'Ada Byron' })
  return openPage({ url, session: await openSession(db, id), ...options })
}
let number = 0
/** Inserts a source that reads a page of the feed server. */
async function insertSource(body: string, values: object = {}, status = 200) {
  const path = `/feed-${++number}`
  feeds.serve(path, { body, status })
  const source = { id: uuidv7(), nom: `Agenda ${number}`, type: 'rss', url: `${feeds.url}${path}`, ...values }
  await db.insertInto('import_sources').values(source).execute()
  return { ...source, path }
}
const items = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    guid: `${prefix}-${n}`,
    title: `${prefix} ${n}`,
    description: `Texte ${prefix} ${n}`,
  }))
const rowsOf = (page: Page, table: string) => page.getByRole('grid', { name: table }).getByRole('row')
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

story('by keyboard alone: from the address of a site to a sample, a dry run and a saved source', async () => {
  feeds.serve('/site', {
    body: '<!doctype html><html><head><link rel="alternate" type="application/rss+xml" title="Agenda du site" href="/agenda"></head></html>',
  })
  feeds.serve('/agenda', { body: rss(...items('Conte', 12)) })
  const page = await openAs()
  await page.goto('/backoffice/imports')
  await page.getByText('Aucune source pour l’instant').waitFor()
  await page.getByRole('button', { name: 'Ajouter une source' }).focus()
  await press(page, 'Enter')
  await untilFocused(page.getByRole('textbox', { name: 'Adresse' }))
  await page.keyboard.type(`${feeds.url}/site`)
  await press(page, 'Enter')
  await page.getByRole('button', { name: 'Utiliser : Agenda du site' }).focus()
  await press(page, 'Enter')
  await page.getByText('Reconnu : Flux RSS ou Atom').waitFor()
  await expect.poll(() => page.getByRole('list', { name: 'Aperçu' }).getByRole('listitem').count()).toBe(10)
  expect(await db.selectFrom('import_sources').select('id').execute()).toEqual([])
  const name = page.getByRole('textbox', { name: 'Nom de la source' })
  await expect.poll(() => name.inputValue()).toBe(`Agenda du site · ${new URL(feeds.url).host}`)
  await name.focus()
  await press(page, 'Control+a')
  await page.keyboard.type('Agenda de la médiathèque')
  // Typed text survives a reload.
  await page.reload()
  await page.getByRole('button', { name: 'Analyser' }).focus()
  await press(page, 'Enter')
  await name.waitFor()
  await expect.poll(() => name.inputValue()).toBe('Agenda de la médiathèque')
  await page.getByRole('button', { name: 'Essayer sans enregistrer' }).focus()
  await press(page, 'Enter')
  await page.getByText('12 éléments lus · 12 créés').waitFor()
  await expect.poll(() => rowsOf(page, 'Essai').count()).toBe(13)
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).focus()
  await press(page, 'Enter')
  await page.getByRole('heading', { name: 'Agenda de la médiathèque' }).waitFor()
})

story('by keyboard alone: a run appears live, with what each item became and its log', async () => {
  const { id, nom } = await insertSource(rss(...items('Conte', 12)))
  const page = await openAs()
  await page.goto(`/backoffice/imports/${id}`)
  await page.getByRole('button', { name: 'Importer maintenant' }).focus()
  await press(page, 'Enter')
  await page.getByText('L’import commence').waitFor()
  // Nobody reloads: the end of the run arrives as an event.
  await page.getByText('12 éléments lus · 12 créés').waitFor({ timeout: 50_000 })
  await page.getByRole('button', { name: `Détails : ${nom}` }).focus()
  await press(page, 'Enter')
  await page.getByRole('dialog').getByRole('link', { name: 'Conte 0' }).waitFor()
  await press(page, 'Escape')
  await page.getByRole('button', { name: /^Journal du / }).focus()
  await press(page, 'Enter')
  await page.getByRole('dialog').getByText('Conte-11').waitFor()
})

story('a table gets a proposed mapping, which can be changed before it is saved', async () => {
  feeds.serve('/table', { body: 'id;titre;texte;sous-titre;salle\n1;Marché;Le samedi;Bio;Halle\n' })
  const page = await openAs()
  await page.goto('/backoffice/imports/new')
  await page.getByRole('textbox', { name: 'Adresse' }).fill(`${feeds.url}/table`)
  await press(page, 'Enter')
  await page.getByText('Reconnu : Tableau CSV').waitFor()
  await page
    .getByRole('button', { name: /^titre : Marché Titre|Titre/ })
    .first()
    .click()
  await page.getByRole('option', { name: 'sous-titre : Bio' }).click()
  await page.getByRole('textbox', { name: 'Nom de la source' }).fill('Marchés')
  await page.getByRole('button', { name: 'Essayer sans enregistrer' }).click()
  await page.getByRole('rowheader', { name: 'Bio' }).waitFor()
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).click()
  await page.getByRole('heading', { name: 'Marchés' }).waitFor()
  const saved = await db
    .selectFrom('import_sources')
    .selectAll()
    .where('nom', '=', 'Marchés')
    .executeTakeFirstOrThrow()
  expect(saved).toMatchObject({
    ...{ type: 'csv', acteur_id: null, cron: '0 6 * * *', moderation_status: 'pending' },
    mapping: { external_id: 'id', title: 'sous-titre', body: 'texte', 'lieu.nom': 'salle' },
  })
})

story('by keyboard alone: acteur, commune and type of a new source are chosen', async () => {
  feeds.serve('/mediatheque', { body: rss(...items('Lecture', 1)) })
  const page = await openAs()
  await page.goto('/backoffice/imports/new')
  await page.getByRole('textbox', { name: 'Adresse' }).fill(`${feeds.url}/mediatheque`)
  await press(page, 'Enter')
  await page.getByText('Reconnu : Flux RSS ou Atom').waitFor()
  const field = page.getByRole('combobox', { name: 'Acteur' })
  await field.focus()
  await page.keyboard.type('vilar')
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
  await press(page, 'ArrowDown', 'Enter')
  await expect.poll(() => field.inputValue()).toBe('Médiathèque Jean-Vilar')
  const place = page.getByRole('combobox', { name: 'Commune' })
  await place.focus()
  await page.keyboard.type('chambér')
  await page.getByRole('option', { name: 'Chambéry' }).waitFor()
  await press(page, 'ArrowDown', 'Enter')
  await expect.poll(() => place.inputValue()).toBe('Chambéry')
  await page.getByRole('button', { name: /Type de publication$/ }).focus()
  await press(page, 'Enter')
  await page.getByRole('option', { name: 'Événement' }).click()
  // Another address was not looked at: nothing can be saved for it.
  const address = page.getByRole('textbox', { name: 'Adresse' })
  await address.fill(`${feeds.url}/autre`)
  await expect.poll(() => page.getByRole('button', { name: 'Enregistrer', exact: true }).count()).toBe(0)
  await address.fill(`${feeds.url}/mediatheque`)
  // Choices survive a reload.
  await page.reload()
  await page.getByRole('button', { name: 'Analyser' }).click()
  await expect.poll(() => field.inputValue()).toBe('Médiathèque Jean-Vilar')
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).click()
  await page.getByRole('link', { name: 'Médiathèque Jean-Vilar' }).waitFor()
  await page.getByText('Événement', { exact: true }).waitFor()
  const saved = db
    .selectFrom('import_sources')
    .leftJoin('publication_types', 'publication_types.id', 'type_id')
    .select(['acteur_id', 'commune_id', 'publication_types.libelle as type'])
    .where('url', '=', `${feeds.url}/mediatheque`)
  const choices = { acteur_id: library.id, commune_id: chambery.id }
  expect(await saved.executeTakeFirstOrThrow()).toEqual({ ...choices, type: 'Événement' })
  // A commune that is cleared is that of the acteur again.
  await page.getByRole('button', { name: 'Modifier' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Commune' }).fill('')
  await press(page, 'Tab')
  await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('Celle de l’acteur').waitFor()
  expect(await saved.executeTakeFirstOrThrow()).toEqual({ ...choices, commune_id: null, type: 'Événement' })
})

story(
  'keys pressed before the results arrive choose among these results, not among earlier ones',
  async () => {
    await acteur({ nom: 'Aéroclub' })
    feeds.serve('/vite', { body: rss(...items('Vite', 1)) })
    const page = await openAs()
    await page.goto('/backoffice/imports/new')
    await page.getByRole('textbox', { name: 'Adresse' }).fill(`${feeds.url}/vite`)
    await press(page, 'Enter')
    await page.getByText('Reconnu : Flux RSS ou Atom').waitFor()
    const field = page.getByRole('combobox', { name: 'Acteur' })
    const options = page.getByRole('option')
    await field.focus()
    await press(page, 'ArrowDown')
    await options.getByText('Aéroclub').waitFor()
    const { promise: isSent, resolve: sent } = Promise.withResolvers<void>()
    const { promise: isDue, resolve: arrive } = Promise.withResolvers<void>()
    await intercept(page, '**/admin/acteurs?*', async (route) => {
      if (new URL(route.request().url()).searchParams.get('q') === 'vilar') sent()
      await isDue
      await route.continue()
    })
    await page.keyboard.type('vilar')
    await press(page, 'ArrowDown', 'Enter')
    await isSent
    // The list still shows what was found before.
    await page.getByRole('option', { name: 'Aéroclub' }).waitFor()
    arrive()
    await expect.poll(() => field.inputValue()).toBe('Médiathèque Jean-Vilar')
  },
)

story('an option that the arrow has reached is chosen although the page scrolled meanwhile', async () => {
  feeds.serve('/defile', { body: rss(...items('Défilé', 1)) })
  const page = await openAs()
  await page.goto('/backoffice/imports/new')
  await page.getByRole('textbox', { name: 'Adresse' }).fill(`${feeds.url}/defile`)
  await press(page, 'Enter')
  const field = page.getByRole('combobox', { name: 'Acteur' })
  await field.focus()
  await page.keyboard.type('vilar')
  await page.getByRole('option', { name: 'Médiathèque Jean-Vilar' }).waitFor()
  await press(page, 'ArrowDown')
  const isAtOption = async () => (await field.getAttribute('aria-activedescendant')) !== null
  await expect.poll(isAtOption).toBe(true)
  await page.evaluate(`document.querySelector('main').dispatchEvent(new Event('scroll'))`)
  await expect.poll(isAtOption).toBe(true)
  await press(page, 'Enter')
  await expect.poll(() => field.inputValue()).toBe('Médiathèque Jean-Vilar')
})

story('an address that cannot be read is explained, in words', async () => {
  feeds.serve('/gone', { body: '', status: 404 })
  const page = await openAs({ expects: /status of 422/ })
  await page.goto('/backoffice/imports/new')
  const look = async (address: string) => {
    await page.getByRole('textbox', { name: 'Adresse' }).fill(address)
    await press(page, 'Enter')
  }
  await look(`${feeds.url}/gone`)
  await page.getByText('Le serveur a répondu 404.').waitFor()
  await look('agenda.invalid/sorties')
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Adresse' }).inputValue())
    .toBe('https://agenda.invalid/sorties')
  await look('ftp://agenda.example/')
  await page.getByText('doit être une adresse http ou https').waitFor()
})

story(
  'a source that paused itself says why and how to go on; it is resumed, edited and deleted',
  async () => {
    const paused = { actif: false, failures: 5, cron: null }
    const reason = 'Failed 5 times in a row. The last time: The server answered 500.'
    const { id } = await insertSource('', { ...paused, nom: 'Agenda cassé', paused_reason: reason }, 500)
    // The event of its deletion may come before the page has left the source.
    const page = await openAs({ expects: /status of 404/ })
    await page.goto('/backoffice/imports')
    await page.getByText('En pause après des échecs').waitFor()
    await page.getByRole('link', { name: 'Agenda cassé' }).click()
    await page.getByText('En pause après 5 échecs de suite').waitFor()
    await page.getByText('Dernière erreur : Le serveur a répondu 500.').waitFor()
    await page.getByRole('button', { name: 'Modifier' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Nom de la source' }).fill('Agenda réparé')
    await page.getByRole('dialog').getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByRole('heading', { name: 'Agenda réparé' }).waitFor()
    await page.getByRole('button', { name: 'Reprendre' }).click()
    await page.getByText('La source est de nouveau active').waitFor()
    await page.getByText('Elle n’est lue que si vous le demandez').waitFor()
    await page.getByRole('button', { name: 'Désactiver' }).click()
    await page.getByText('Cette source est désactivée').waitFor()
    await page.getByRole('button', { name: 'Supprimer' }).click()
    await page.getByRole('alertdialog').getByText('Ses publications restent en ligne').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
    await page.getByText('La source est supprimée').waitFor()
    const left = await db
      .selectFrom('import_sources')
      .select('deleted_at')
      .where('id', '=', id)
      .executeTakeFirst()
    expect(left?.deleted_at ?? null).not.toEqual(left === undefined ? undefined : null)
  },
)

story(
  'a source that a colleague changed is not overwritten, and typed settings can be discarded',
  async () => {
    const { id, nom } = await insertSource('')
    const page = await openAs({ expects: /status of 412/ })
    const stored = () =>
      db.selectFrom('import_sources').select(['nom', 'url']).where('id', '=', id).executeTakeFirstOrThrow()
    await page.goto(`/backoffice/imports/${id}`)
    await page.getByRole('button', { name: 'Modifier' }).click()
    const form = page.getByRole('dialog')
    const name = form.getByRole('textbox', { name: 'Nom de la source' })
    await name.fill('Agenda renommé')
    const moved = 'https://agenda.example/nouveau'
    await db.updateTable('import_sources').set({ url: moved }).where('id', '=', id).execute()
    await form.getByRole('button', { name: 'Enregistrer' }).click()
    await form.getByText('Quelqu’un d’autre a changé cette fiche').waitFor()
    await form.getByText(moved).first().waitFor()
    expect(await barriers(page)).toEqual([])
    await form.getByRole('button', { name: 'Garder la mienne' }).click()
    await expect.poll(() => form.getByRole('textbox', { name: 'Adresse' }).inputValue()).toBe(moved)
    await form.getByRole('button', { name: 'Enregistrer' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await stored()).toEqual({ nom: 'Agenda renommé', url: moved })

    // A change by a colleague after a reload is a conflict too.
    await page.getByRole('button', { name: 'Modifier' }).click()
    await name.fill(nom)
    await page.reload()
    await db
      .updateTable('import_sources')
      .set({ url: `${moved}/2` })
      .where('id', '=', id)
      .execute()
    await page.reload()
    await page.getByRole('button', { name: 'Modifier' }).click()
    await expect.poll(() => name.inputValue()).toBe(nom)
    await form.getByText('Quelqu’un d’autre a changé cette fiche').waitFor()
    await form.getByRole('button', { name: 'Abandonner' }).click()
    await page.getByRole('button', { name: 'Modifier' }).click()
    await expect.poll(() => name.inputValue()).toBe('Agenda renommé')
    await expect.poll(() => form.getByRole('button', { name: 'Abandonner' }).count()).toBe(0)
  },
)

story('what an unusual run held back is shown and published together, and can be withdrawn', async () => {
  const values = { acteur_id: library.id, moderation_status: 'published', nom: 'Agenda inondé' }
  const source = await insertSource(rss(...items('Crue', 2)), values)
  const admin = await world.as('admin')
  const importAll = async (count: number) => {
    feeds.serve(source.path, { body: rss(...items('Crue', count)) })
    await admin.post(`/admin/import-sources/${source.id}/run`)
    const last = async () => (await admin.get(`/admin/import-sources/${source.id}`)).body.data.last_run
    await expect.poll(async () => (await last())?.fetched, { timeout: 50_000 }).toBe(count)
    await expect.poll(async () => (await last()).status, { timeout: 50_000 }).toBe('succeeded')
  }
  await importAll(2)
  await importAll(62)
  const statuses = async () => {
    const rows = await db
      .selectFrom('import_items as i')
      .innerJoin('publications as p', 'p.id', 'i.publication_id')
      .select('p.moderation_status')
      .where('i.source_id', '=', source.id)
      .execute()
    return new Set(rows.map(({ moderation_status }) => moderation_status))
  }
  const page = await openAs()
  await page.goto('/backoffice/imports')
  await page.getByRole('tab', { name: /À décider 1/ }).click()
  await page.getByRole('button', { name: 'Voir ce qui serait publié : Agenda inondé' }).click()
  await page.getByRole('dialog').getByText('À modérer').first().waitFor()
  await press(page, 'Escape')
  await page.getByRole('button', { name: 'Tout publier : Agenda inondé' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Tout publier' }).click()
  await page.getByText('60 publications vont paraître').waitFor()
  await page.getByText('Rien n’attend de décision').waitFor()
  await expect.poll(statuses, { timeout: 50_000 }).toEqual(new Set(['published']))
  await page.goto(`/backoffice/imports/${source.id}`)
  await page.getByRole('button', { name: 'Retirer ses publications' }).click()
  await page.getByRole('alertdialog').getByLabel('Motif').fill('Flux piraté')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer ses publications' }).click()
  await page.getByText('62 publications sont en train d’être retirées').waitFor()
  await expect.poll(statuses, { timeout: 50_000 }).toEqual(new Set(['rejected']))
})

story('failed runs lead from the dashboard to their list', async () => {
  const source = await insertSource('', { failures: 1, nom: 'Agenda en échec' }, 500)
  const ended = { started_at: new Date(), finished_at: new Date() }
  const run = {
    id: uuidv7(),
    source_id: source.id,
    dry_run: false,
    status: 'failed',
    error: 'The server answered 500.',
  }
  await db
    .insertInto('import_runs')
    .values({ ...run, ...ended })
    .execute()
  const page = await openAs()
  await page.goto('/backoffice/')
  await page.getByRole('link', { name: 'Voir les exécutions échouées' }).click()
  await page.getByRole('link', { name: 'Agenda en échec' }).waitFor()
  expect(new URL(page.url()).search).toBe('?view=runs&status=failed')
  await page.getByText('Le serveur a répondu 500.').waitFor()
})

story.for([
  ['light', 1280],
  ['dark', 360],
] as const)('imports pass the accessibility check, in English: %s, %i px', async ([theme, width]) => {
  const { id, nom } = await insertSource(rss(...items('Access', 3)), { failures: 2 })
  feeds.serve('/access', { body: 'id;titre;texte\n1;Marché;Le samedi\n' })
  const run = { id: uuidv7(), source_id: id, dry_run: false, status: 'succeeded', finished_at: new Date() }
  await db
    .insertInto('import_runs')
    .values({ ...run, fetched: 60, created: 60, held: 60 })
    .execute()
  const page = await openAs({ width, dark: theme === 'dark' })
  const check = async (what: string) => {
    expect(await barriers(page), what).toEqual([])
    expect(await overflowsSideways(page), what).toEqual([])
  }
  await page.addInitScript(`localStorage.setItem('parvis.settings', '{"language":"en"}')`)
  await page.goto('/backoffice/imports')
  await page.getByRole('link', { name: nom }).waitFor()
  await check('sources')
  await page.goto('/backoffice/imports?view=held')
  await page.getByRole('button', { name: `Publish all: ${nom}` }).click()
  await page.getByRole('alertdialog').waitFor()
  await check('decision')
  await page.goto(`/backoffice/imports/${id}`)
  await page.getByText('The last 2 reads failed').waitFor()
  await page.getByRole('button', { name: `See what would be published: ${nom}` }).waitFor()
  await check('source')
  await page.getByRole('button', { name: `See what would be published: ${nom}` }).click()
  await page.getByText('No item changed').waitFor()
  await check('items')
  await page.goto('/backoffice/imports/new')
  await page.getByRole('textbox', { name: 'Address' }).fill(`${feeds.url}/access`)
  await press(page, 'Enter')
  await page.getByText('Recognised: CSV table').waitFor()
  await page.getByRole('button', { name: 'Try without saving' }).click()
  await page.getByText('1 item read').waitFor()
  await check('new')
})

story('what is wrong with the events of a calendar is said in the language of the page', async () => {
  const event = (uid: string, ...lines: string[]) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `SUMMARY:${uid}`,
    ...lines,
    'END:VEVENT',
  ]
  const body = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...event('Bal', 'DTSTART:20990101T200000Z', 'RRULE:FREQ=FORTNIGHTLY'),
    ...event('Conte', 'DTSTART;TZID=Bogus:20990101T200000'),
    'END:VCALENDAR',
    '',
  ].join('\r\n')
  feeds.serve('/abime.ics', { body })
  const page = await openAs()
  await page.goto('/backoffice/imports')
  await page.getByRole('button', { name: 'Ajouter une source' }).click()
  await page.getByRole('textbox', { name: 'Adresse' }).fill(`${feeds.url}/abime.ics`)
  await page.getByRole('button', { name: 'Analyser' }).click()
  await page.getByRole('button', { name: 'Essayer sans enregistrer' }).click()
  const rows = page.getByRole('grid', { name: 'Essai' })
  await rows.getByText('sa règle de répétition').waitFor()
  await rows.getByText('fuseau horaire inconnu (Bogus)').waitFor()
})

story('every remark on an event of an agenda is said in the language of the page', async () => {
  const timing = (day: string, end: string) => ({ begin: `2099-01-${day}T20:00:00+01:00`, end })
  const events = [
    { uid: 1, title: 'Sans date' },
    { uid: 2, title: 'Bal', firstTiming: timing('01', 'tard'), lastTiming: timing('09', 'tard') },
  ]
  feeds.serve('/agenda.json', { body: JSON.stringify({ events, after: null }) })
  const page = await openAs()
  await page.goto('/backoffice/imports')
  await page.getByRole('button', { name: 'Ajouter une source' }).click()
  await page.getByRole('textbox', { name: 'Adresse' }).fill(`${feeds.url}/agenda.json`)
  await page.getByRole('button', { name: 'Analyser' }).click()
  await page.getByRole('button', { name: 'Essayer sans enregistrer' }).click()
  const rows = page.getByRole('grid', { name: 'Essai' })
  await rows.getByText('sans date : ajoutez « detailed=1 »').waitFor()
  await rows.getByText('date illisible ignorée · il manque les horaires').waitFor()
})
