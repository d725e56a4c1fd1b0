import { sql } from 'kysely'
import { expect } from 'vitest'
import {
  insertPublication,
  openAssociation,
  statusOf,
} from '../../src/modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriers,
  barriersInBothThemes,
  barriersInEveryLook,
  builtWebApp,
  dateIn,
  intercept,
  meanwhile,
  openPage,
  story,
  toggle,
  typeDate,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp })
const { url, db } = world
const moderator = await world.user({ roles: ['moderator'], nom: 'Zoé Lambert' })
const session = await openSession(db, moderator.id)

const chambery = await world.commune({ nom: 'Chambéry' })
const croqueurs = await world.acteur({ nom: 'Les Croqueurs de pommes', commune_id: chambery.id })
const minutesAgo = (minutes: number) => new Date(Date.now() - 60_000 * minutes)

const { asOwner, content } = await openAssociation(world)

/** Inserts these as the only publications, pending, in the order of the queue: the newest first. */
async function insertPending(...titles: string[]) {
  await db.deleteFrom('publications').execute()
  await db.deleteFrom('reply_templates').execute()
  const rows = []
  for (const [index, title] of titles.entries()) {
    const values = {
      title,
      body: '<p>Pressage <strong>sur la place</strong>.</p><script>alert(1)</script><p onclick="x()">Entrée libre.</p>',
      moderation_status: 'pending',
      valide: false,
      publie_le: null,
      acteur_id: croqueurs.id,
      commune_id: chambery.id,
      created_at: minutesAgo(1 + index),
    } as const
    rows.push(await insertPublication(world, values))
  }
  return rows
}

const insertTemplate = (name: string, body: string, ground: string | null = null) =>
  db.insertInto('reply_templates').values({ id: uuidv7(), kind: 'rejection', name, body, ground }).execute()

story('a publication is scheduled for a time in Paris', async () => {
  const [row] = await insertPending('Fête de la pomme')
  const page = await openPage({ url, session })
  await page.goto(`/backoffice/queue?selected=${row?.id}`)
  await page.getByRole('button', { name: 'Programmer' }).waitFor()
  await page.keyboard.press('s')
  const dialog = page.getByRole('dialog', { name: 'Programmer la parution' })
  const moment = dialog.getByRole('group', { name: 'Date et heure' })
  await expect.poll(() => dateIn(moment)).toMatch(/^\d\d \d\d \d{4} 08 00$/)
  expect(await barriersInBothThemes(page)).toEqual([])
  const year = new Date().getFullYear() + 1
  await typeDate(moment, `1407${year - 2}0930`)
  await page.keyboard.press('Enter')
  await dialog.getByText('Ce moment est passé.').waitFor()
  await typeDate(moment, `1407${year}0930`)
  await page.keyboard.press('Enter')
  await page.getByText('Programmée : Fête de la pomme').waitFor()
  const stored = await db
    .selectFrom('publications')
    .selectAll()
    .where('id', '=', row?.id ?? '')
    .executeTakeFirstOrThrow()
  expect([stored.moderation_status, stored.publie_le?.toISOString()]).toEqual([
    'approved',
    `${year}-07-14T07:30:00.000Z`,
  ])
})

story(
  "fifty by keyboard alone: rejections by template, two undos, and a colleague's concurrent change",
  async () => {
    const rows = await insertPending(...Array.from({ length: 50 }, (_, number) => `Publication ${number}`))
    await insertTemplate('Hors de la commune', 'Bonjour, « {{titre}} » ne concerne pas {{acteur}}.')
    const page = await openPage({ url, session, expects: /412/ })
    const titled = (number: number) =>
      page.getByRole('heading', { name: `Publication ${number}`, exact: true }).waitFor()
    const read = new Set<string | undefined>()
    page.on('response', (response) => read.add(response.url().split('/').at(-1)))
    await page.goto('/backoffice/queue')
    await page.getByRole('row').first().waitFor()
    for (const list of ['templates?kind=rejection', 'grounds'])
      await expect.poll(() => read.has(list), { message: list }).toBe(true)
    await titled(0)
    // A colleague changes it after its decision has left: earlier, the page might have read the change.
    const moved = rows[30]?.id ?? ''
    const change = db.updateTable('publications').set({ title: 'Fête de la poire' }).where('id', '=', moved)
    await meanwhile(page, `**/${moved}/moderate`, () => change.execute())
    for (let number = 0; number < 3; number++) await page.keyboard.press('a')
    await titled(3)
    await page.keyboard.press('u')
    await titled(2)
    await page.keyboard.press('u')
    await titled(1)
    for (let number = 1; number < rows.length; number++) {
      // No key press is lost, however fast.
      if (number % 10 === 5) for (const key of ['r', '1', 'Enter']) await page.keyboard.press(key)
      else await page.keyboard.press('a')
    }
    await page.getByText('A changé entre-temps : Publication 30').waitFor()
    await page.getByRole('row', { name: 'Fête de la poire' }).waitFor()
    await page.keyboard.press('j')
    const both = page.getByRole('region', { name: 'Les deux versions' })
    await both.waitFor()
    expect((await both.locator('del').allInnerTexts()).join(' ')).toBe('Publication 30')
    expect(await barriersInBothThemes(page)).toEqual([])
    await page.keyboard.press('a')
    await page.getByText('Tout est traité').waitFor()

    const states = () =>
      db.selectFrom('publications').select(['title', 'moderation_status', 'moderation_reason'])
    await expect
      .poll(async () => (await states().where('moderation_status', '=', 'pending').execute()).length)
      .toBe(0)
    const rejected = await states().where('moderation_status', '=', 'rejected').orderBy('title').execute()
    expect(rejected.map(({ moderation_reason }) => moderation_reason)).toEqual(
      [15, 25, 35, 45, 5].map(
        (number) => `Bonjour, « Publication ${number} » ne concerne pas Les Croqueurs de pommes.`,
      ),
    )
  },
)

story('a rejection is previewed, and its text can be saved as a template', async () => {
  const [row, other] = await insertPending('Fête de la pomme', 'Vide-grenier')
  await insertTemplate('Déjà annoncé', '« {{titre}} » est déjà annoncé.')
  await insertTemplate('Règlement', 'a'.repeat(1_001))
  const page = await openPage({ url, session, expects: /409/ })
  await page.goto(`/backoffice/queue?selected=${row?.id}`)
  await page.getByRole('button', { name: 'Rejeter' }).waitFor()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Rejeter la publication' })
  const reason = dialog.getByRole('textbox', { name: 'Motif' })
  await dialog.getByRole('button', { name: '1 Déjà annoncé' }).waitFor()
  await page.keyboard.press('1')
  await expect.poll(() => reason.inputValue()).toBe('« Fête de la pomme » est déjà annoncé.')
  expect(await barriersInBothThemes(page)).toEqual([])
  await reason.fill('Le texte est illisible.')
  await dialog.getByRole('button', { name: 'Garder ce texte comme modèle' }).click()
  await dialog.getByLabel('Nom du modèle').fill('Illisible')
  expect(await barriersInBothThemes(page)).toEqual([])
  // The second press saves nothing. It comes before the answer, after which something else is in its place.
  const pressed = Promise.withResolvers<void>()
  await intercept(page, '**/templates', (route) => pressed.promise.then(() => route.continue()))
  await dialog.getByRole('button', { name: 'Garder le modèle' }).dblclick()
  pressed.resolve()
  const template = dialog.getByRole('button', { name: '2 Illisible' })
  await template.waitFor()
  // The text has the focus again, in which Enter starts a line.
  await dialog
    .getByRole('button', { name: 'Rejeter', exact: true })
    .and(page.locator('[aria-keyshortcuts="Control+Enter"]'))
    .waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
  // It is changed for all colleagues; a name that another one has is refused.
  await dialog.getByRole('button', { name: 'Modifier le modèle Déjà annoncé' }).click()
  await untilFocused(dialog.getByLabel('Nom du modèle'))
  await dialog.getByLabel('Nom du modèle').fill('Illisible')
  await page.keyboard.press('Enter')
  await dialog.getByText('Un autre modèle porte ce nom.').waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  await dialog.getByLabel('Nom du modèle').fill('Annoncé')
  await dialog.getByLabel('Texte du modèle').fill('« {{titre}} » a paru.')
  await dialog.getByRole('button', { name: 'Garder le modèle' }).click()
  await dialog.getByRole('button', { name: '1 Annoncé' }).waitFor()
  const stored = db.selectFrom('reply_templates').select('body').where('name', '=', 'Annoncé')
  expect((await stored.executeTakeFirstOrThrow()).body).toBe('« {{titre}} » a paru.')
  // A template is deleted for all colleagues: that can be undone.
  await dialog.getByRole('button', { name: 'Supprimer le modèle Illisible' }).click()
  await template.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Rétablir' }).click()
  await template.waitFor()
  // Typed text survives a reload, until the service has it.
  await page.reload()
  await page.getByRole('button', { name: 'Rejeter' }).waitFor()
  await page.keyboard.press('r')
  await expect.poll(() => reason.inputValue()).toBe('Le texte est illisible.')
  // The template says what is typed already: it is not added a second time.
  await template.waitFor()
  await page.keyboard.press('2')
  await expect.poll(() => template.getAttribute('aria-pressed')).toBe('true')
  await expect.poll(() => reason.inputValue()).toBe('Le texte est illisible.')
  await page.keyboard.press('Enter')
  await page.getByText('Rejetée : Fête de la pomme').waitFor()
  expect(await statusOf(world, row?.id ?? '')).toBe('rejected')
  await page.keyboard.press('r')
  await expect.poll(() => reason.inputValue()).toBe('')
  // A text that the service would refuse is not sent.
  await dialog.getByRole('button', { name: '3 Règlement' }).waitFor()
  await page.keyboard.press('3')
  await expect.poll(async () => (await reason.inputValue()).length).toBe(1_001)
  await page.keyboard.press('Enter')
  await dialog.getByText(/Trop long.*1.001 caractères, 1.000 au plus/).waitFor()
  expect(await statusOf(world, other?.id ?? '')).toBe('pending')
})

story(
  'the ground of a template gives way to a chosen one, and nothing is decided before they are shown',
  async () => {
    const [row] = await insertPending('Fête de la pomme')
    const id = row?.id ?? ''
    await insertTemplate('Commerce', 'C’est du commerce.', 'spam')
    await insertTemplate('Illisible', 'Le texte est illisible.')
    const page = await openPage({ url, session })
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    const held = Promise.withResolvers<void>()
    await intercept(page, '**/grounds', (route) => held.promise.then(() => route.continue()))
    await page.goto(`/backoffice/queue?selected=${id}`)
    await page.getByRole('button', { name: 'Rejeter' }).waitFor()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Rejeter la publication' })
    await dialog.getByRole('button', { name: '2 Illisible' }).waitFor()
    for (const key of ['a', 'Enter', 'Control+Enter']) await page.keyboard.press(key)
    held.resolve()
    const grounds = dialog.getByRole('group', { name: 'Règle ou loi' })
    await grounds.waitFor()
    const chosen = grounds.getByRole('button', { pressed: true })
    expect(await chosen.count()).toBe(0)
    await page.keyboard.press('1')
    await chosen.filter({ hasText: 'Spam' }).waitFor()
    const reason = dialog.getByRole('textbox', { name: 'Motif' })
    await expect.poll(() => reason.inputValue()).toBe('C’est du commerce.')
    // A template without a ground takes back that of the template before, not one that somebody chose.
    const loaded = Promise.withResolvers<void>()
    await intercept(page, '**/preview', (route) => loaded.promise.then(() => route.continue()))
    await page.keyboard.press('2')
    await expect.poll(() => chosen.count()).toBe(0)
    await page.keyboard.press('b')
    await chosen.filter({ hasText: 'Hors sujet' }).waitFor()
    // Pressed again before its text has come, it still takes the place of the one before.
    await page.keyboard.press('2')
    loaded.resolve()
    await expect.poll(() => reason.inputValue()).toBe('Le texte est illisible.')
    await chosen.filter({ hasText: 'Hors sujet' }).waitFor()
    expect(sent.filter((one) => one.endsWith('/moderate'))).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('Rejetée : Fête de la pomme').waitFor()
    const given = db.selectFrom('statements').select(['ground', 'reason']).where('record_id', '=', id)
    expect(await given.executeTakeFirstOrThrow()).toMatchObject({
      ground: { code: 'hors-sujet' },
      reason: 'Le texte est illisible.',
    })
  },
)

story('the tenth template has no digit, but is offered like the others', async () => {
  const [row] = await insertPending('Fête de la pomme')
  for (let n = 1; n <= 10; n++) await insertTemplate(`Motif ${String(n).padStart(2, '0')}`, `Texte ${n}`)
  const page = await openPage({ url, session })
  await page.goto(`/backoffice/queue?selected=${row?.id}`)
  await page.getByRole('button', { name: 'Rejeter' }).waitFor()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Rejeter la publication' })
  await dialog.getByRole('button', { name: '9 Motif 09' }).waitFor()
  await dialog.getByRole('button', { name: 'Motif 10', exact: true }).click()
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Motif' }).inputValue()).toBe('Texte 10')
  expect(await barriers(page)).toEqual([])
})

story('the rejection opens before its templates, and a reason for several is for these only', async () => {
  const rows = await insertPending('Un', 'Deux', 'Trois')
  const page = await openPage({ url, session })
  const templates = Promise.withResolvers<void>()
  await intercept(page, '**/templates?*', (route) => templates.promise.then(() => route.continue()))
  await page.goto(`/backoffice/queue?selected=${rows[0]?.id}`)
  await page.getByRole('article').getByRole('button', { name: 'Rejeter' }).waitFor()
  for (const key of ['r', 'a', 'Enter']) await page.keyboard.press(key)
  const reason = page.getByRole('dialog', { name: 'Rejeter la publication' }).getByLabel('Motif')
  await reason.waitFor()
  templates.resolve()
  await untilFocused(reason)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  for (const key of ['x', 'j', 'x', 'r']) await page.keyboard.press(key)
  const several = page.getByRole('dialog', { name: 'Rejeter 2 publications' })
  await several.getByLabel('Motif').fill('Hors sujet')
  await page.keyboard.press('Escape')
  await several.waitFor({ state: 'detached' })
  await page.keyboard.press('r')
  await expect.poll(() => several.getByLabel('Motif').inputValue()).toBe('Hors sujet')
  await untilFocused(several.getByLabel('Motif'))
  await page.keyboard.press('Escape')
  await several.waitFor({ state: 'detached' })
  for (const key of ['x', 'j', 'x', 'r']) await page.keyboard.press(key)
  await expect.poll(() => several.getByLabel('Motif').inputValue()).toBe('')
  expect(await Promise.all(rows.map(({ id }) => statusOf(world, id)))).toEqual([
    'pending',
    'pending',
    'pending',
  ])
})

story('a decision that cannot be saved returns the publication to the list with the reason', async () => {
  const [row] = await insertPending('Fête de la pomme', 'Vide-grenier')
  const page = await openPage({ url, session, expects: /status of 500/ })
  await page.goto(`/backoffice/queue?selected=${row?.id}`)
  await page.getByRole('button', { name: 'Rejeter' }).waitFor()
  await intercept(page, '**/moderate', (route) =>
    route.fulfill({
      status: 500,
      headers: { 'x-request-id': 'req-1234' },
      json: { error: 'internal_error', message: 'Une erreur interne.' },
    }),
  )
  await page.keyboard.press('r')
  await page.getByRole('textbox', { name: 'Motif' }).fill('Hors sujet')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Fête de la pomme · Une erreur interne.').waitFor()
  await page.getByText('Numéro de la requête : req-1234').waitFor()
  await page.getByRole('row', { name: 'Fête de la pomme' }).waitFor()
  await page.keyboard.press('k')
  await page.getByRole('button', { name: 'Rejeter' }).waitFor()
  await page.keyboard.press('r')
  await expect.poll(() => page.getByRole('textbox', { name: 'Motif' }).inputValue()).toBe('Hors sujet')
})

story(
  'while the service refuses writes, as on a full disk, reads that it serves do not reload everything',
  async () => {
    const [row] = await insertPending('Fête de la pomme', 'Vide-grenier')
    const page = await openPage({ url, session, expects: /status of 503/ })
    await page.goto(`/backoffice/queue?selected=${row?.id}`)
    await page.getByRole('button', { name: 'Rejeter' }).waitFor()
    const full = { status: 503, json: { error: 'unavailable', message: 'Le disque est plein.' } }
    for (const path of ['**/presence', '**/moderate'])
      await intercept(page, path, (route) => route.fulfill(full))
    const ready = Promise.withResolvers<void>()
    await intercept(page, '**/readyz', (route) => ready.promise.then(() => route.continue()))
    await page.keyboard.press('a')
    const banner = page.getByText('momentanément indisponible')
    await banner.waitFor()
    await page.getByText('Fête de la pomme · Le disque est plein.').waitFor()
    // Another screen is read meanwhile.
    const read = page.waitForResponse(/\/admin\/dashboard/)
    await page.getByRole('link', { name: 'Tableau de bord' }).click()
    await (await read).finished()
    await page.getByRole('heading', { name: 'Tableau de bord' }).waitFor()
    expect(await banner.count()).toBe(1)
    ready.resolve()
    await banner.waitFor({ state: 'detached' })
  },
)

story('an undo that fails is tried again by the next one', async () => {
  const rows = await insertPending('Un', 'Deux', 'Trois')
  const page = await openPage({ url, session, expects: /ERR_FAILED/ })
  await page.goto(`/backoffice/queue?selected=${rows[0]?.id}`)
  for (const title of ['Un', 'Deux']) {
    await page.getByRole('heading', { name: title }).waitFor()
    await page.keyboard.press('a')
    await page.getByText(`Publiée : ${title}`).waitFor()
  }
  await intercept(page, '**/undo', (route) => route.abort())
  await page.keyboard.press('u')
  await page.getByText('La décision n’a pas pu être annulée').waitFor()
  await page.unroute('**/undo')
  await page.keyboard.press('u')
  await page.getByRole('heading', { name: 'Deux' }).waitFor()
  expect(await Promise.all(rows.map(({ id }) => statusOf(world, id)))).toEqual([
    'published',
    'pending',
    'pending',
  ])
})

story('a decision before the list has arrived opens the first publication of the list', async () => {
  const rows = await insertPending('Un', 'Deux')
  const page = await openPage({ url, session })
  const { promise: decided, resolve } = Promise.withResolvers<void>()
  await intercept(page, /admin\/publications\?/, async (route) => {
    await decided
    await route.continue()
  })
  await page.goto(`/backoffice/queue?selected=${rows[0]?.id}`)
  await page.getByRole('heading', { name: 'Un' }).waitFor()
  await page.keyboard.press('a')
  await page.getByText('Publiée : Un').waitFor()
  resolve()
  await page.getByRole('heading', { name: 'Deux' }).waitFor()
})

story('a decided publication is read again when it is opened afterwards', async () => {
  const [row] = await insertPending('Fête de la pomme', 'Vide-grenier')
  const page = await openPage({ url, session })
  await page.goto(`/backoffice/queue?selected=${row?.id}`)
  await page.getByRole('heading', { name: 'Fête de la pomme' }).waitFor()
  await page.keyboard.press('a')
  await page.getByText('Publiée : Fête de la pomme').waitFor()
  await page.getByRole('link', { name: 'Publications' }).click()
  await page.getByRole('row', { name: 'Fête de la pomme' }).getByRole('link').first().click()
  await page.getByRole('article').getByText('Publiée', { exact: true }).waitFor()
})

story('a held key moves through the queue, but decides only once', async () => {
  const rows = await insertPending('Un', 'Deux', 'Trois', 'Quatre')
  const page = await openPage({ url, session })
  await page.goto('/backoffice/queue')
  await page.getByRole('heading', { name: 'Un' }).waitFor()
  for (let press = 0; press < 2; press++) await page.keyboard.down('j')
  await page.keyboard.up('j')
  await page.getByRole('heading', { name: 'Trois' }).waitFor()
  for (let press = 0; press < 3; press++) await page.keyboard.down('a')
  await page.keyboard.up('a')
  await page.getByText('Publiée : Trois').waitFor()
  await page.getByRole('heading', { name: 'Quatre' }).waitFor()
  expect(await Promise.all(rows.map(({ id }) => statusOf(world, id)))).toEqual([
    'pending',
    'pending',
    'published',
    'pending',
  ])
})

story('arrow keys, Space and Shift select rows of the queue', async () => {
  await insertPending('Un', 'Deux', 'Trois', 'Quatre')
  const page = await openPage({ url, session })
  await page.goto('/backoffice/queue')
  const row = (name: string) => page.getByRole('row', { name })
  await row('Un').focus()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('heading', { name: 'Deux' }).waitFor()
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByText('2 sélectionnées').waitFor()
  await page.keyboard.press('End')
  await page.getByRole('heading', { name: 'Quatre' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await page.getByText('3 sélectionnées').waitFor()
  await expect.poll(() => row('Un').getByRole('checkbox').isChecked()).toBe(false)
  await page.keyboard.press('Escape')
  await page.getByText('3 sélectionnées').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+a')
  await page.getByText('4 sélectionnées').waitFor()
})

story('Shift selects a range of the queue, which begins at the open row and can shrink again', async () => {
  await insertPending('Un', 'Deux', 'Trois', 'Quatre', 'Cinq')
  const page = await openPage({ url, session })
  await page.goto('/backoffice/queue')
  const row = (name: string) => page.getByRole('row', { name })
  const selected = () =>
    page.evaluate(
      `[...document.querySelectorAll('[role=row][aria-selected=true]')].map((row) => row.ariaLabel)`,
    )
  await row('Deux').click()
  await page.getByRole('heading', { name: 'Deux' }).waitFor()
  await row('Quatre').click({ modifiers: ['Shift'] })
  await expect.poll(selected).toEqual(['Deux', 'Trois', 'Quatre'])
  expect(await page.evaluate('getSelection().toString()')).toBe('')
  await expect.poll(() => page.getByRole('heading', { name: 'Deux' }).count()).toBe(1)
  await page.keyboard.press('Shift+ArrowUp')
  await expect.poll(selected).toEqual(['Deux', 'Trois'])
  await page.keyboard.press('Escape')
  await expect.poll(selected).toEqual([])
  await row('Cinq').click()
  await page.getByRole('heading', { name: 'Cinq' }).waitFor()
  await row('Quatre')
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await expect.poll(selected).toEqual(['Quatre', 'Cinq'])
  // Another opened row begins another range, and leaves what was selected.
  await row('Un').click()
  await page.getByRole('heading', { name: 'Un', exact: true }).waitFor()
  for (let press = 0; press < 2; press++) await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(selected).toEqual(['Un', 'Deux', 'Trois', 'Quatre', 'Cinq'])
  await page.keyboard.press('Shift+ArrowUp')
  await expect.poll(selected).toEqual(['Un', 'Deux', 'Quatre', 'Cinq'])
})

story('new publications are announced, and shown on request', async () => {
  const [row] = await insertPending('Fête de la pomme')
  const page = await openPage({ url, session })
  await page.goto(`/backoffice/queue?selected=${row?.id}`)
  await page.getByRole('heading', { name: 'Fête de la pomme' }).waitFor()
  // The list may arrive after the open publication: it would then begin with the new ones.
  await page.getByRole('row', { name: 'Fête de la pomme' }).waitFor()
  for (const title of ['Vide-grenier', 'Concert de Noël'])
    await asOwner.post('/publications', { ...content, title })
  const news = page.getByRole('button', { name: '2 nouvelles' })
  await news.waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(1)
  expect(await barriersInBothThemes(page)).toEqual([])
  await news.click()
  await page.getByRole('row', { name: 'Concert de Noël' }).waitFor()
  await news.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Fête de la pomme' }).waitFor()
})

story(
  'colleagues write notes: opened by a shortcut, kept after a reload, deleted and brought back',
  async () => {
    const [row] = await insertPending('Fête de la pomme')
    const page = await openPage({ url, session, expects: /ERR_FAILED/ })
    await page.goto(`/backoffice/queue?selected=${row?.id}`)
    const field = page.getByLabel('Nouvelle note')
    await field.waitFor()
    await page.keyboard.press('n')
    await page.keyboard.type('J’ai appelé l’association.')
    await page.reload()
    await field.waitFor()
    await expect.poll(() => field.inputValue()).toBe('J’ai appelé l’association.')
    await page.keyboard.press('n')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => field.inputValue()).toBe('')
    // What is typed while a note is sent stays in the field.
    await meanwhile(page, '**/admin/notes', () => page.keyboard.insertText('Et sa présidente.'))
    await page.keyboard.type('Elle rappelle. ')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('listitem').filter({ hasText: 'Elle rappelle.' }).waitFor()
    await expect.poll(() => field.inputValue()).toBe('Elle rappelle. Et sa présidente.')
    await field.fill('')
    const note = page.getByRole('listitem').filter({ hasText: 'J’ai appelé l’association.' })
    await note.getByText('Zoé Lambert').waitFor()
    expect(await barriersInBothThemes(page)).toEqual([])
    await note.getByRole('button', { name: 'Supprimer la note' }).click()
    await note.waitFor({ state: 'detached' })
    // It can be brought back, at a second attempt too.
    let isCut = false
    await intercept(page, '**/admin/notes', (route) => {
      if (isCut || route.request().method() !== 'POST') return route.fallback()
      isCut = true
      return route.abort()
    })
    await page.getByRole('button', { name: 'Rétablir' }).click()
    await page.getByText('Le rétablissement a échoué').waitFor()
    await page.getByRole('button', { name: 'Réessayer' }).click()
    await note.waitFor()
    expect(await world.db.selectFrom('notes').select('body').execute()).toHaveLength(2)
  },
)

story('the last decisions can be undone after a reload, and a search survives Back', async () => {
  const [first] = await insertPending('Fête de la pomme', 'Vide-grenier')
  const page = await openPage({ url, session })
  await page.goto('/backoffice/queue')
  await page.getByLabel('Rechercher dans les textes').fill('pomme')
  await expect.poll(() => page.getByRole('row').count()).toBe(1)
  await page.getByRole('row', { name: 'Fête de la pomme' }).press('Enter')
  await page.getByRole('heading', { name: 'Fête de la pomme' }).waitFor()
  await expect.poll(() => page.url()).toContain(`selected=${first?.id}`)
  await page.getByRole('link', { name: 'Tableau de bord' }).click()
  await page.getByRole('heading', { name: 'Tableau de bord' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Fête de la pomme' }).waitFor()
  await page.getByRole('button', { name: 'Publier' }).waitFor()
  await expect.poll(() => page.getByLabel('Rechercher dans les textes').inputValue()).toBe('pomme')
  await page.keyboard.press('a')
  await page.getByText('Publiée : Fête de la pomme').waitFor()
  await page.reload()
  await page.getByText('Rien ne correspond').waitFor()
  // Nothing was decided since the reload: the key shows what was decided before.
  await page.keyboard.press('u')
  const panel = page.getByRole('dialog', { name: 'Vos dernières décisions' })
  const newest = panel.getByRole('listitem').filter({ hasText: 'Fête de la pomme' }).first()
  await newest.getByText('Publication ·').waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  await panel.getByRole('button', { name: 'Annuler' }).first().click()
  await page.getByRole('row', { name: 'Fête de la pomme' }).waitFor()
  expect(await statusOf(world, first?.id ?? '')).toBe('pending')
})

story('a decision about a claim is undone from the queue, which stays where it is', async () => {
  await insertPending('Fête de la pomme')
  const acteur = await world.acteur({ nom: 'Chorale' })
  const { id } = (
    await world.post('/claims', {
      acteur_id: acteur.id,
      nom: 'Odile',
      email: 'odile@example.org',
      message: 'Je préside.',
    })
  ).body.data
  const page = await openPage({ url, session })
  await page.goto('/backoffice/queue')
  await page.getByRole('row', { name: 'Fête de la pomme' }).press('Enter')
  await page.getByRole('button', { name: 'Publier' }).waitFor()
  const headers = { ...session.headers, 'content-type': 'application/json' }
  const decided = await world
    .client({ source: 'backoffice' })
    .patch(`/admin/claims/${id}`, { status: 'rejected' }, { headers })
  expect(decided.status, decided.text).toBe(200)
  await page.keyboard.press('u')
  const panel = page.getByRole('dialog', { name: 'Vos dernières décisions' })
  await panel
    .getByRole('listitem')
    .filter({ hasText: 'Chorale' })
    .getByRole('button', { name: 'Annuler' })
    .click()
  await page.getByText('La décision est annulée').waitFor()
  await page.getByRole('button', { name: 'Publier' }).waitFor()
  expect((await db.selectFrom('claims').select('status').where('id', '=', id).execute())[0]?.status).toBe(
    'pending',
  )
})

story('the text is shown as readers see it, and no script in it runs', async () => {
  const [row] = await insertPending('Fête de la pomme')
  const page = await openPage({ url, session })
  await page.goto(`/backoffice/queue?selected=${row?.id}`)
  const article = page.getByRole('article')
  await article.getByText('sur la place').waitFor()
  await expect.poll(() => article.locator('strong', { hasText: 'sur la place' }).count()).toBe(1)
  await expect.poll(() => article.locator('[onclick], script').count()).toBe(0)
})

story('the list is narrowed to the acteur, then the commune of the open publication', async () => {
  const [, , third] = await insertPending('Pressage', 'Vin nouveau', 'Concert')
  const { id } = await world.acteur({ nom: 'Chorale', commune_id: chambery.id })
  await db
    .updateTable('publications')
    .set({ acteur_id: id })
    .where('id', '=', third?.id ?? '')
    .execute()
  const page = await openPage({ url, session })
  await page.goto('/backoffice/queue')
  await page.getByRole('row', { name: 'Concert' }).click()
  await page.getByRole('heading', { name: 'Concert', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Ne montrer que : Chorale' }).click()
  await expect.poll(() => page.getByRole('row').allInnerTexts()).toEqual([expect.stringContaining('Concert')])
  await page.getByRole('heading', { name: 'Concert', exact: true }).waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Ne montrer que : Chambéry' }).click()
  await expect.poll(() => page.getByRole('button', { name: /^Ne montrer que/ }).count()).toBe(0)
  const { searchParams } = new URL(page.url())
  expect([searchParams.get('acteur'), searchParams.get('commune')]).toEqual([id, chambery.id])
})

story('other viewers and similar publications are shown', async () => {
  const [first] = await insertPending('Fête de la pomme', 'Fête de la pomme !')
  const path = `/backoffice/queue?selected=${first?.id}`
  const colleague = await world.as('moderator')
  await colleague.put('/admin/presence', { kind: 'publication', id: first?.id })
  // The colleague's page would say so again every few seconds.
  await sql`update presence set seen_at = now() + interval '1 hour'`.execute(db)
  const page = await openPage({ url, session })
  await page.goto(path)
  await page.getByText('Aussi sur cette fiche').waitFor()
  await page.getByRole('region', { name: 'Publications qui se ressemblent' }).waitFor()
  await page.getByText('Depuis un an').waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
})

story("a colleague's concurrent decision is shown and not overwritten", async () => {
  const [first] = await insertPending('Fête de la pomme', 'Vide-grenier')
  const page = await openPage({ url, session, expects: /412/ })
  await page.goto(`/backoffice/queue?selected=${first?.id}`)
  await page.getByRole('article').getByText('Entrée libre').waitFor()
  const colleague = await world.as('moderator')
  const decided = { moderation_status: 'rejected' }
  await meanwhile(page, '**/moderate', () =>
    colleague.patch(`/admin/publications/${first?.id}/moderate`, decided),
  )
  await page.getByRole('button', { name: 'Publier' }).click()
  // The screen continues; the unsaved decision can be opened.
  await page.getByRole('heading', { name: 'Vide-grenier' }).waitFor()
  await page.getByRole('button', { name: 'Relire' }).click()
  await page.getByText('Une décision a été prise entre-temps').waitFor()
  await page.getByText('dans l’état « Rejetée »').waitFor()
  expect(await statusOf(world, first?.id ?? '')).toBe('rejected')
})

story('a bulk decision skips publications that have changed meanwhile', async () => {
  const rows = await insertPending('Un', 'Deux', 'Trois', 'Quatre')
  const page = await openPage({ url, session })
  await page.goto('/backoffice/queue')
  await page.getByRole('heading', { name: 'Un' }).waitFor()
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
  await page.getByText('2 sélectionnées').waitFor()
  const changed = rows[2]?.id ?? ''
  await db.updateTable('publications').set({ title: 'Troisième' }).where('id', '=', changed).execute()
  await page.keyboard.press('a')
  await page.getByText('Une décision enregistrée').waitFor()
  await page.getByText('A changé entre-temps : Trois').waitFor()
  // The one after the decided ones, not the first of the list.
  await page.getByRole('heading', { name: 'Quatre' }).waitFor()
  expect(await Promise.all(rows.map(({ id }) => statusOf(world, id)))).toEqual([
    'pending',
    'published',
    'pending',
    'pending',
  ])
})

story('the next publications are opened when all loaded ones are decided', async () => {
  await insertPending(...Array.from({ length: 52 }, (_, number) => `Publication ${number}`))
  const page = await openPage({ url, session, expects: /status of 500/ })
  await page.goto('/backoffice/queue')
  await page.getByRole('row').first().focus()
  await page.keyboard.press('Control+a')
  await page.getByText('50 sélectionnées').waitFor()
  const next = Promise.withResolvers<void>()
  let isDown = true
  await intercept(page, '**/admin/publications?*', (route) =>
    next.promise.then(() => (isDown ? route.fulfill({ status: 500, json: {} }) : route.continue())),
  )
  await page.keyboard.press('a')
  await page.getByText('50 décisions enregistrées').waitFor()
  expect(await page.getByText('Tout est traité').count()).toBe(0)
  next.resolve()
  // That the next ones could not be read does not mean that there are none.
  await page.getByRole('button', { name: 'Réessayer' }).waitFor()
  expect(await page.getByText('Tout est traité').count()).toBe(0)
  isDown = false
  const heading = page.getByRole('heading', { name: 'Publication 50' })
  // The events of the decisions may load the next ones before the click.
  await page.getByRole('button', { name: 'Réessayer' }).or(heading).first().click()
  await heading.waitFor()
})

story('the buttons of the open publication leave the selected ones alone', async () => {
  const rows = await insertPending('Un', 'Deux', 'Trois', 'Quatre', 'Cinq')
  const page = await openPage({ url, session })
  await page.goto(`/backoffice/queue?selected=${rows[2]?.id}`)
  await page.getByRole('heading', { name: 'Trois' }).waitFor()
  for (const name of ['Un', 'Deux']) await toggle(page.getByRole('row', { name }).getByRole('checkbox'))
  await page.getByRole('article').getByRole('button', { name: 'Publier' }).click()
  await page.getByText('Publiée : Trois').waitFor()
  await page.getByRole('heading', { name: 'Quatre' }).waitFor()
  await page.getByText('2 sélectionnées').waitFor()
  await page.getByRole('article').getByRole('button', { name: 'Rejeter' }).click()
  await untilFocused(page.getByRole('dialog', { name: 'Rejeter la publication' }).getByLabel('Motif'))
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // The key is for the selection.
  await page.keyboard.press('s')
  await untilFocused(
    page.getByRole('dialog', { name: 'Programmer 2 publications' }).getByLabel('Date et heure'),
  )
  await page.keyboard.press('Enter')
  await page.getByText('2 décisions enregistrées').waitFor()
  await page.getByRole('heading', { name: 'Quatre' }).waitFor()
  expect(await Promise.all(rows.map(({ id }) => statusOf(world, id)))).toEqual([
    'approved',
    'approved',
    'published',
    'pending',
    'pending',
  ])
  const scheduled = await db
    .selectFrom('publications')
    .select('publie_le')
    .where('moderation_status', '=', 'approved')
    .execute()
  for (const { publie_le } of scheduled) expect(publie_le?.getTime()).toBeGreaterThan(Date.now())
})

story('a bulk decision is made and undone, also on a phone', async () => {
  const rows = await insertPending('Un', 'Deux', 'Trois')
  const page = await openPage({ url, session, width: 360 })
  await page.goto('/backoffice/queue')
  for (const name of ['Un', 'Trois']) {
    await toggle(page.getByRole('row', { name }).getByRole('checkbox'))
  }
  await page.getByText('2 sélectionnées').waitFor()
  await page.getByRole('button', { name: 'Publier' }).first().click()
  await page.getByText('2 décisions enregistrées').waitFor()
  expect(await Promise.all(rows.map(({ id }) => statusOf(world, id)))).toEqual([
    'published',
    'pending',
    'published',
  ])
  // The toast leaves the buttons of the publication that is open now free. It stays while it has the focus.
  const undo = page.getByRole('button', { name: 'Annuler la décision' })
  await undo.focus()
  for (const name of ['Publier', 'Programmer', 'Rejeter', 'Corriger'])
    await page.getByRole('article').getByRole('button', { name }).click({ trial: true })
  await undo.click()
  await page.getByText('La décision est annulée').waitFor()
  expect(await Promise.all(rows.map(({ id }) => statusOf(world, id)))).toEqual([
    'pending',
    'pending',
    'pending',
  ])
})

const numbered = (count: number) => Array.from({ length: count }, (_, number) => `Publication ${number}`)
const countOf = async (status: 'pending' | 'published') =>
  (await db.selectFrom('publications').select('id').where('moderation_status', '=', status).execute()).length

story('all that match the filter are selected over pages, decided, and undone at once', async () => {
  await insertPending(...numbered(130))
  const page = await openPage({ url, session, width: 360 })
  await page.goto('/backoffice/queue')
  await toggle(page.getByRole('row', { name: 'Publication 3', exact: true }).getByRole('checkbox'))
  const all = page.getByRole('button', { name: 'Tout sélectionner (130)' })
  await all.focus()
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByText('130 sélectionnées').waitFor()
  await all.waitFor({ state: 'detached' })
  expect(await page.getByRole('checkbox', { checked: false }).count()).toBe(0)
  // The service takes a hundred at a time.
  const second = Promise.withResolvers<void>()
  let calls = 0
  await intercept(page, '**/bulk/moderate', async (route) => {
    if (++calls === 2) await second.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Publier' }).first().click()
  await page.getByText('Décision en cours : 100 sur 130').waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  second.resolve()
  await page.getByText('130 décisions enregistrées').waitFor()
  await page.getByText('Tout est traité').waitFor()
  expect([calls, await countOf('published')]).toEqual([2, 130])
  await page.getByRole('button', { name: 'Annuler la décision' }).click()
  await page.getByText('La décision est annulée').waitFor()
  expect([await countOf('pending'), await countOf('published')]).toEqual([130, 0])
})

story('what a failure in the middle of a decision left stays selected, the rest can be undone', async () => {
  const rows = await insertPending(...numbered(130))
  const page = await openPage({ url, session, expects: /status of 500/ })
  await page.goto('/backoffice/queue')
  await page.getByRole('row').first().focus()
  await page.keyboard.press('Control+a')
  await page.getByText('50 sélectionnées').waitFor()
  await page.getByRole('button', { name: 'Tout sélectionner (130)' }).click()
  await page.getByText('130 sélectionnées').waitFor()
  // A colleague changes one that the list does not show.
  const changed = rows[75]?.id ?? ''
  const change = db.updateTable('publications').set({ title: 'Autre titre' }).where('id', '=', changed)
  let calls = 0
  await intercept(page, '**/bulk/moderate', async (route) => {
    if (++calls === 1) await change.execute()
    await (calls === 2 ? route.fulfill({ status: 500, json: {} }) : route.continue())
  })
  await page.getByRole('row').first().focus()
  await page.keyboard.press('a')
  await page.getByText('30 publications restent à décider').waitFor()
  await page.getByText('99 décisions enregistrées').waitFor()
  await page.getByText('A changé entre-temps : Publication 75').waitFor()
  await page.getByText('30 sélectionnées').waitFor()
  expect([await countOf('pending'), await countOf('published')]).toEqual([31, 99])
  await page.keyboard.press('a')
  await page.getByText('30 décisions enregistrées').waitFor()
  expect([await countOf('pending'), await countOf('published')]).toEqual([1, 129])
  // The latest first, each as a whole.
  await page.keyboard.press('u')
  await expect.poll(() => countOf('published')).toBe(99)
  await page.keyboard.press('u')
  await expect.poll(() => countOf('pending')).toBe(130)
})

story('on a phone the list comes first; rows show type, source and picture, and cut no text', async () => {
  const [row] = await insertPending('Vide-grenier des habitants du quartier de la Croix-Rouge, '.repeat(2))
  const type = await db.selectFrom('publication_types').select(['id', 'libelle']).executeTakeFirstOrThrow()
  const id = uuidv7()
  await db
    .insertInto('media')
    .values({ id, kind: 'image', sha256: '0'.repeat(64), width: 4, height: 4, bytes: 1, decorative: true })
    .execute()
  const values = { images: [id], type_id: type.id }
  await db
    .updateTable('publications')
    .set(values)
    .where('id', '=', row?.id ?? '')
    .execute()
  const page = await openPage({ url, session, width: 360 })
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>'
  const address = `${url}/api/v1/media/${id}/400.webp`
  await intercept(page, address, (route) => route.fulfill({ contentType: 'image/svg+xml', body: picture }))
  await page.goto('/backoffice/queue')
  const shown = page.getByRole('row', { name: 'Vide-grenier' })
  await shown.getByText(`${type.libelle} · il y a`).waitFor()
  await expect.poll(() => page.evaluate(`document.querySelector('[role=row] img')?.naturalWidth`)).toBe(4)
  expect(new URL(page.url()).search).toBe('')
  const cut = `[...document.querySelectorAll('[role=row] *')].filter(
    (element) => getComputedStyle(element).textOverflow === 'ellipsis' || element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline',
  ).map((element) => element.outerHTML)`
  expect(await page.evaluate(cut)).toEqual([])
  expect(await barriersInBothThemes(page)).toEqual([])
})

story('the queue passes the accessibility check, also on a phone, dark', async () => {
  const [row] = await insertPending(
    'Fête de la pomme',
    'Vide-grenier des habitants du quartier de la Croix-Rouge',
  )
  const page = await openPage({ url, session })
  await page.goto('/backoffice/queue')
  await page.getByRole('heading', { name: 'Fête de la pomme' }).waitFor()
  await page.goto(`/backoffice/queue?selected=${row?.id}`)
  await page.getByRole('heading', { name: 'Fête de la pomme' }).waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await page.getByRole('button', { name: 'Rejeter' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
})
