import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { formOf, pdf } from '../../src/modules/media/media.test-kit.ts'
import { newestMail } from '../../src/modules/sign-in/sign-in.test-kit.ts'
import { openMairie } from '../support/mairies.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriersInEveryLook,
  builtWebApp,
  intercept,
  openPage,
  overflowsSideways,
  story,
  untilFocused,
} from './browser.ts'

/** Pictures and documents in the forms of publications: from the phone's camera to the record, whatever happens on the way. */

const webApp = await builtWebApp()
const world = await openWorld({ webApp, env: { SECOND_FACTOR: 'none' } })
const { url, db } = world

const club = await world.acteur({ nom: 'Croqueurs de pommes', valide: true, can_publish: true })
const secretary = await world.user({
  ...{ nom: 'Nadia Roux', email_verified: true },
  memberships: [{ acteur: club, role: 'owner' }],
})
const session = await openSession(db, secretary.id)

let photos = 0
/** Another picture each time: equal ones would be one file. */
const nextColor = () => `#${(0x103050 + ++photos * 0x050301).toString(16)}`
/** A photo as a phone makes it: lying, with a note that says how to turn it. */
const photo = ({ width = 60, height = 40, orientation = 1 } = {}) =>
  sharp({ create: { width, height, channels: 3, background: nextColor() } })
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer()
const file = async (name: string, size = {}) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await photo(size),
})

const chosen = (page: Page) => page.locator('input[type=file][multiple]').first()
const rowsOf = (page: Page) =>
  page.getByRole('group', { name: 'Images' }).getByRole('listitem', { name: /^Image/ })
const isSent = async (row: Locator) => expect.poll(() => row.getByRole('progressbar').count()).toBe(0)

async function picture(page: Page, name: string) {
  const folder = process.env.PARVIS_PICTURES
  if (folder) await page.getByRole('group', { name: 'Images' }).screenshot({ path: `${folder}/${name}.png` })
}

async function openForm(options = {}) {
  const page = await openPage({ url, session, ...options })
  await page.goto(`/backoffice/espace/${club.id}/publier`)
  await page.getByRole('textbox', { name: 'Titre' }).waitFor()
  await page.evaluate('localStorage.removeItem("parvis.draft.publication")')
  return page
}

async function write(page: Page, title: string) {
  await page.getByRole('textbox', { name: 'Titre' }).fill(title)
  await page.getByRole('textbox', { name: 'Texte' }).click()
  await page.keyboard.type('Samedi')
}

const stored = (title: string) =>
  db
    .selectFrom('publications')
    .select(['id', 'images', 'documents'])
    .where('title', '=', title)
    .executeTakeFirstOrThrow()
const mediaOf = (ids: string[]) =>
  db
    .selectFrom('media')
    .select(['id', 'alt', 'decorative', 'width', 'height'])
    .where('id', 'in', ids)
    .execute()

story('on a phone, photos are made small, sent, described, put into order and published', async () => {
  const phone = { width: 360, hasTouch: true, isMobile: true, expects: /status of 422/ }
  const page = await openForm(phone)
  await page.getByRole('button', { name: 'Prendre une photo' }).waitFor()
  await write(page, 'Marché')
  const sizes: number[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v1/media')) sizes.push(request.postDataBuffer()?.length ?? 0)
  })
  await chosen(page).setInputFiles([
    await file('IMG_1.jpg', { width: 4032, height: 3024, orientation: 6 }),
    await file('IMG_2.jpg'),
    {
      name: 'plan.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    },
  ])
  const rows = rowsOf(page)
  await rows.nth(2).getByText('est un dessin (SVG)').waitFor()
  await isSent(rows.first())
  await isSent(rows.nth(1))
  expect(await overflowsSideways(page)).toEqual([])
  await picture(page, '360-images')
  await rows
    .nth(2)
    .getByRole('button', { name: /^Retirer/ })
    .tap()
  await expect.poll(() => rows.count()).toBe(2)
  // Without a description it is not published: the refusal is at its picture.
  await rows.nth(1).getByLabel('Que voit-on ?').fill('Deux étals de pommes')
  await page.getByRole('button', { name: 'Publier', exact: true }).tap()
  await untilFocused(rows.first().getByLabel('Que voit-on ?'))
  await rows.first().getByText('demande une description').waitFor()
  await rows.first().getByText('Décorative : elle').tap()
  await rows.nth(1).getByRole('button', { name: 'Monter l’image 2 sur 2' }).tap()
  await page.getByRole('status').getByText('Image 1 sur 2').waitFor()
  await page.getByRole('button', { name: 'Publier', exact: true }).tap()
  await page.getByText('Publiée : Marché').waitFor()
  const { images } = await stored('Marché')
  const media = await mediaOf(images ?? [])
  expect((images ?? []).map((id) => media.find((one) => one.id === id))).toEqual([
    expect.objectContaining({ alt: 'Deux étals de pommes', decorative: false }),
    expect.objectContaining({ alt: null, decorative: true, width: 1600, height: 2133 }),
  ])
  expect(Math.max(...sizes)).toBeLessThan(200_000)
})

story('without a network pictures wait in the page, and leave by themselves', async () => {
  const page = await openForm({ expects: /ERR_INTERNET_DISCONNECTED|Failed to fetch/ })
  await write(page, 'Sans réseau')
  await page.context().setOffline(true)
  await chosen(page).setInputFiles([await file('quai.jpg')])
  const row = rowsOf(page).first()
  await row.getByText('Pas de réseau : l’image reste ici').waitFor()
  await row.getByLabel('Que voit-on ?').fill('Le quai')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  await page.getByText('Des fichiers ne sont pas encore envoyés.').waitFor()
  await page.context().setOffline(false)
  await expect.poll(() => row.getByText('Pas de réseau').count()).toBe(0)
  await isSent(row)
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  await page.getByText('Publiée : Sans réseau').waitFor()
  const { images } = await stored('Sans réseau')
  expect(await mediaOf(images ?? [])).toEqual([expect.objectContaining({ alt: 'Le quai' })])
})

story('a draft outlives its page: what was sent is there, and what was not says so', async () => {
  const page = await openForm({ expects: /ERR_FAILED/ })
  await write(page, 'Plus tard')
  await chosen(page).setInputFiles([await file('halle.jpg')])
  await isSent(rowsOf(page).first())
  await intercept(page, '**/api/v1/media', (route) => route.abort())
  await chosen(page).setInputFiles([await file('pont.jpg')])
  await rowsOf(page).nth(1).getByText('Pas de réseau').waitFor()
  await page.unroute('**/api/v1/media')
  await page.reload()
  const lost = rowsOf(page).nth(1)
  await lost.getByText('pont.jpg').waitFor()
  await lost.getByText('n’a pas été envoyée avant que la page se ferme').waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await lost.getByRole('button', { name: 'Retirer l’image 2 sur 2' }).click()
  await rowsOf(page).first().getByLabel('Que voit-on ?').fill('La halle')
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  await page.getByText('Publiée : Plus tard').waitFor()
  expect((await stored('Plus tard')).images).toHaveLength(1)
})

story('by keyboard: pictures are pasted, moved, chosen again and removed', async () => {
  const page = await openForm()
  await write(page, 'Collage')
  for (const name of ['a.png', 'b.png']) {
    const buffer = await photo()
    await page.evaluate(
      `(() => {
        const data = new DataTransfer()
        const bytes = Uint8Array.from(atob('${buffer.toString('base64')}'), (each) => each.charCodeAt(0))
        data.items.add(new File([bytes], '${name}', { type: 'image/jpeg' }))
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
      })()`,
    )
  }
  const rows = rowsOf(page)
  await expect.poll(() => rows.count()).toBe(2)
  for (const row of await rows.all()) await isSent(row)
  await rows.first().getByLabel('Que voit-on ?').fill('Premier')
  await rows.nth(1).getByLabel('Que voit-on ?').fill('Second')
  await rows.first().getByRole('button', { name: 'Descendre l’image 1 sur 2' }).press('Enter')
  await expect.poll(() => rows.first().getByLabel('Que voit-on ?').inputValue()).toBe('Second')
  expect(await barriersInEveryLook(page)).toEqual([])
  await picture(page, '1280-images')
  await rows.nth(1).getByRole('button', { name: 'Retirer l’image 2 sur 2' }).press('Enter')
  await page.getByRole('button', { name: 'Déjà envoyées' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Déjà envoyées' })
  await dialog.getByRole('button', { name: /^Premier, envoi du/ }).waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await dialog.getByRole('button', { name: /^Premier, envoi du/ }).press('Enter')
  await expect.poll(() => rows.count()).toBe(2)
  await expect.poll(() => rows.nth(1).getByLabel('Que voit-on ?').inputValue()).toBe('Premier')
  await page.getByRole('textbox', { name: 'Titre' }).focus()
  await page.keyboard.press('Control+Enter')
  await page.getByText('Publiée : Collage').waitFor()
  const { images } = await stored('Collage')
  const media = await mediaOf(images ?? [])
  expect((images ?? []).map((id) => media.find((one) => one.id === id)?.alt)).toEqual(['Second', 'Premier'])
})

story('a picture is dragged by its handle to another place', async () => {
  const page = await openForm({ height: 1_600 })
  await write(page, 'Ordre')
  await chosen(page).setInputFiles([await file('un.jpg'), await file('deux.jpg'), await file('trois.jpg')])
  const rows = rowsOf(page)
  for (const [index, alt] of ['Un', 'Deux', 'Trois'].entries()) {
    await isSent(rows.nth(index))
    await rows.nth(index).getByLabel('Que voit-on ?').fill(alt)
  }
  const handleOf = async (index: number) => {
    const box = await rows.nth(index).boundingBox()
    if (box === null) throw new Error('The picture is not shown.')
    return { x: box.x + 20, y: box.y + 30 }
  }
  await rows.nth(2).scrollIntoViewIfNeeded()
  const from = await handleOf(2)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  const to = await handleOf(0)
  await page.mouse.move(to.x, to.y, { steps: 8 })
  await page.mouse.up()
  const order = async () =>
    Promise.all((await rows.all()).map((row) => row.getByLabel('Que voit-on ?').inputValue()))
  await expect.poll(order).toEqual(['Trois', 'Un', 'Deux'])
})

story(
  'a moderator steps through pictures by keys, describes one, and removes another with a reason',
  async () => {
    const waiting = await world.acteur({ nom: 'Amis du lac', valide: true })
    const member = await world.user({
      ...{ nom: 'Léo Martin', email_verified: true },
      memberships: [{ acteur: waiting, role: 'owner' }],
    })
    const asMember = world.client({ token: member.token })
    const images = []
    for (const alt of ['Le lac', '', 'Une affiche']) {
      const fields = { acteur_id: waiting.id, ...(alt !== '' && { alt }) }
      images.push((await asMember.post('/media', formOf(await photo(), fields))).body.data.id)
    }
    const content = { acteur_id: waiting.id, title: 'Baignade', body: '<p>Dimanche</p>', images }
    const { id } = (await asMember.post('/publications', content)).body.data
    const moderator = await world.user({ roles: ['moderator'] })
    const page = await openPage({
      url,
      session: await openSession(db, moderator.id),
      expects: /status of 422/,
    })
    await page.goto(`/backoffice/queue?selected=${id}`)
    const row = page.getByRole('row', { name: /Baignade/ })
    await row.getByText('Image sans description').waitFor()
    await page.getByRole('button', { name: 'Agrandir l’image 1 sur 3' }).waitFor()
    expect(await barriersInEveryLook(page)).toEqual([])
    await page.keyboard.press('i')
    const viewer = page.getByRole('dialog')
    await viewer.getByRole('heading', { name: 'Image 1 sur 3' }).waitFor()
    const isLoaded = () =>
      viewer
        .getByRole('img')
        .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0)
    await expect.poll(isLoaded).toBe(true)
    await page.keyboard.press('ArrowRight')
    await viewer.getByRole('heading', { name: 'Image 2 sur 3' }).waitFor()
    await page.keyboard.press('z')
    await viewer.getByRole('button', { name: 'Zoom', pressed: true }).waitFor()
    expect(await barriersInEveryLook(page)).toEqual([])
    if (process.env.PARVIS_PICTURES)
      await page.screenshot({ path: `${process.env.PARVIS_PICTURES}/viewer.png` })
    await viewer.getByLabel('Que voit-on ?').fill('Le ponton')
    await viewer.getByRole('button', { name: 'Image suivante' }).press('Enter')
    await viewer.getByRole('heading', { name: 'Image 3 sur 3' }).waitFor()
    await viewer.getByRole('button', { name: 'Retirer cette image' }).press('Enter')
    await untilFocused(viewer.getByLabel('Motif du retrait'))
    await viewer.getByText('Léo Martin recevra un courriel').waitFor()
    await page.keyboard.type('L’affiche a un numéro de téléphone privé.')
    await viewer.getByRole('button', { name: 'Retirer cette image' }).press('Enter')
    await page.getByText('Image retirée : Baignade').waitFor()
    await viewer.getByRole('heading', { name: 'Image 2 sur 2' }).waitFor()
    await untilFocused(viewer)
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    await expect.poll(() => row.getByText('Image sans description').count()).toBe(0)
    expect((await stored('Baignade')).images).toEqual(images.slice(0, 2))
    expect(await mediaOf([images[1]])).toEqual([expect.objectContaining({ alt: 'Le ponton' })])
    const mails = await db
      .selectFrom('publication_mails')
      .select(['kind', 'reason'])
      .where('publication_id', '=', id)
      .execute()
    expect(mails).toEqual([{ kind: 'corrected', reason: 'L’affiche a un numéro de téléphone privé.' }])
    await page.keyboard.press('a')
    await page.getByText('Publiée : Baignade').waitFor()
  },
)

const chosenDocuments = (page: Page) => page.locator('input[type=file][multiple]').nth(1)
const documentsOf = (page: Page) =>
  page.getByRole('group', { name: 'Documents' }).getByRole('listitem', { name: /^Document/ })
const pdfFile = (name: string, texts: string[], more = {}) => ({
  name,
  mimeType: 'application/pdf',
  buffer: pdf(texts, more),
})

async function shot(page: Page, name: string) {
  const folder = process.env.PARVIS_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

story(
  'on a phone, documents are sent, named, put into order and published; a refused one says why',
  async () => {
    const page = await openForm({ width: 390, hasTouch: true, isMobile: true, expects: /status of 422/ })
    const longName = 'Affiche du bal des pompiers '.repeat(4).trim()
    await write(page, 'Conseil municipal')
    await page.getByText('PDF de 20 Mo au plus. 5 documents au plus.').waitFor()
    // An address becomes a link, without the point of its sentence.
    await page.keyboard.type(' : www.pommes.example/ordre-du-jour.')
    await chosenDocuments(page).setInputFiles([
      pdfFile('compte_rendu.pdf', ['Conseil', 'Vote']),
      pdfFile(`${longName}.pdf`, [`Affiche ${++photos}`]),
      pdfFile('piege.pdf', ['x'], { catalog: '/OpenAction << /S /JavaScript /JS (app.alert(1)) >>' }),
    ])
    const rows = documentsOf(page)
    await rows.nth(2).getByText('JavaScript').waitFor()
    for (const index of [0, 1]) await isSent(rows.nth(index))
    await rows.first().getByText('PDF, 2 pages').waitFor()
    await expect.poll(() => rows.first().getByLabel('Nom du document').inputValue()).toBe('compte rendu')
    await expect.poll(() => rows.nth(1).getByLabel('Nom du document').inputValue()).toBe(longName)
    await chosenDocuments(page).setInputFiles([await file('photo.jpg')])
    await page.getByText('une image s’ajoute sous « Images »').waitFor()
    expect(await overflowsSideways(page)).toEqual([])
    await rows.nth(2).getByRole('button', { name: 'Retirer le document 3 sur 3' }).tap()
    await expect.poll(() => rows.count()).toBe(2)
    expect(await barriersInEveryLook(page)).toEqual([])
    await rows.nth(1).getByLabel('Nom du document').fill('')
    await page.getByRole('button', { name: 'Publier', exact: true }).tap()
    await rows.nth(1).getByText('est obligatoire pour un document').waitFor()
    await rows.nth(1).getByLabel('Nom du document').fill('Affiche du bal')
    await rows.nth(1).getByRole('button', { name: 'Monter le document 2 sur 2' }).tap()
    await shot(page, '390-documents')
    await page.getByRole('button', { name: 'Publier', exact: true }).tap()
    await page.getByText('Publiée : Conseil municipal').waitFor()
    const { documents } = await stored('Conseil municipal')
    const named = await db
      .selectFrom('media')
      .select(['id', 'nom'])
      .where('id', 'in', documents ?? [])
      .execute()
    expect((documents ?? []).map((id) => named.find((one) => one.id === id)?.nom)).toEqual([
      'Affiche du bal',
      'compte rendu',
    ])
    const { body } = await db
      .selectFrom('publications')
      .select('body')
      .where('title', '=', 'Conseil municipal')
      .executeTakeFirstOrThrow()
    expect(body).toMatch(
      /<a href="https:\/\/www\.pommes\.example\/ordre-du-jour"[^>]*>www\.pommes\.example\/ordre-du-jour<\/a>\./,
    )
    const link = page.getByRole('list', { name: 'Documents' }).getByRole('link', { name: 'Affiche du bal' })
    const address = await link.getAttribute('href')
    expect((await page.request.get(new URL(address ?? '', url).href)).headers()['content-type']).toBe(
      'application/pdf',
    )
    await shot(page, '390-publication')
    await page.getByRole('button', { name: 'Modifier' }).tap()
    const inDialog = page.getByRole('dialog').getByRole('group', { name: 'Documents' })
    await inDialog.getByRole('button', { name: 'Retirer le document 2 sur 2' }).press('Enter')
    await untilFocused(inDialog.getByRole('list'))
    await inDialog.getByRole('button', { name: 'Déjà envoyés' }).tap()
    await page
      .getByRole('dialog', { name: 'Déjà envoyés' })
      .getByRole('button', { name: /^compte rendu/ })
      .waitFor()
    expect(await barriersInEveryLook(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Enregistrer', exact: true }).tap()
    await expect
      .poll(async () => (await stored('Conseil municipal')).documents)
      .toEqual((documents ?? []).slice(0, 1))
  },
)

story('a moderator opens documents, removes one with a reason, and sees it in the history', async () => {
  const waiting = await world.acteur({ nom: 'Amis du four', valide: true })
  const member = await world.user({
    ...{ nom: 'Jean Petit', email_verified: true },
    memberships: [{ acteur: waiting, role: 'owner' }],
  })
  const asMember = world.client({ token: member.token })
  const send = async (bytes: Buffer, fields: object) =>
    (await asMember.post('/media', formOf(bytes, { acteur_id: waiting.id, ...fields }))).body.data.id
  const documents = [
    await send(pdf(['Bal']), { nom: 'Affiche' }),
    await send(pdf(['Liste']), { nom: 'Adhérents' }),
  ]
  const content = { acteur_id: waiting.id, title: 'Fête du four', body: '<p>Samedi</p>', documents }
  const { id } = (await asMember.post('/publications', content)).body.data
  await asMember.patch(`/publications/${id}`, { documents: documents.toReversed() })
  const moderator = await world.user({ roles: ['moderator'] })
  const page = await openPage({ url, session: await openSession(db, moderator.id) })
  await page.goto(`/backoffice/queue?selected=${id}`)
  const list = page.getByRole('list', { name: 'Documents' })
  await list.getByRole('link', { name: 'Affiche' }).waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await shot(page, '1280-queue-documents')
  await list.getByRole('button', { name: 'Retirer ce document : Adhérents' }).press('Enter')
  await untilFocused(list.getByLabel('Motif du retrait'))
  await list.getByRole('button', { name: 'Garder' }).press('Enter')
  await untilFocused(list.getByRole('button', { name: 'Retirer ce document : Adhérents' }))
  await page.keyboard.press('Enter')
  await untilFocused(list.getByLabel('Motif du retrait'))
  await page.keyboard.type('Des adresses privées.')
  await list.getByRole('button', { name: 'Retirer ce document', exact: true }).press('Enter')
  await page.getByText('Document retiré : Fête du four').waitFor()
  await untilFocused(list)
  expect((await stored('Fête du four')).documents).toEqual(documents.slice(0, 1))
  await page.keyboard.press('h')
  const history = page.getByRole('dialog')
  const removed = history.getByRole('list', { name: 'Documents' }).first().getByRole('listitem').nth(1)
  await removed.getByText('Adhérents').waitFor()
  await removed.getByText('Retrait').waitFor()
  const reordered = history.getByRole('list', { name: 'Documents' }).nth(1).getByRole('listitem')
  await reordered.filter({ hasText: 'Adhérents' }).getByText('En place 2 avant').waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await shot(page, '1280-history-documents')
  // Once it is published, its author cannot rename it.
  await page.keyboard.press('Escape')
  await history.waitFor({ state: 'detached' })
  await page.keyboard.press('a')
  await page.getByText('Publiée : Fête du four').waitFor()
  const own = await openPage({ url, session: await openSession(db, member.id) })
  await own.goto(`/backoffice/espace/${waiting.id}/publications/${id}`)
  await own.getByRole('button', { name: 'Modifier' }).click()
  const sent = own.getByRole('dialog').getByRole('group', { name: 'Documents' })
  await sent.getByText('pour changer son nom, envoyez-le à nouveau').waitFor()
  expect(await sent.getByRole('textbox').count()).toBe(0)
})

story(
  'a picture that is sent after the session has expired leaves once the secretary has signed in',
  async () => {
    const own = await openSession(db, secretary.id)
    const page = await openPage({ url, session: own, expects: /status of 401/ })
    await page.goto(`/backoffice/espace/${club.id}/publier`)
    await page.getByRole('textbox', { name: 'Titre' }).fill('Session')
    await db.updateTable('sessions').set({ ended_at: new Date() }).where('id', '=', own.id).execute()
    // Larger than what a connection takes before its response: noise is not made smaller.
    const noise = { create: { width: 2_300, height: 1_500, channels: 3, background: '#888' } } as const
    const buffer = await sharp({
      ...noise,
      create: { ...noise.create, noise: { type: 'gaussian', mean: 128, sigma: 90 } },
    })
      .jpeg({ quality: 95 })
      .toBuffer()
    expect(buffer.length).toBeGreaterThan(2_000_000)
    await chosen(page).setInputFiles([{ name: 'bruit.jpg', mimeType: 'image/jpeg', buffer }])
    const dialog = page.getByRole('dialog', { name: 'Votre session a expiré' })
    await dialog.getByRole('button', { name: 'Recevoir un lien' }).click()
    await untilFocused(page.getByLabel('Code à six chiffres'))
    await page.keyboard.type((await newestMail(db)).code)
    await isSent(rowsOf(page).first())
    await rowsOf(page).first().getByLabel('Que voit-on ?').waitFor()
    const sent = () =>
      db.selectFrom('media').select('id').where('width', '=', 1600).where('height', '=', 1043).execute()
    await expect.poll(async () => (await sent()).length).toBe(1)
  },
)

story('a secretary gives the acteur a logo, which its page shows, and takes it back', async () => {
  const page = await openPage({ url, session, width: 360 })
  await page.goto(`/backoffice/espace/${club.id}/page`)
  const field = page.getByRole('group', { name: 'Logo' })
  await field
    .locator('input[type=file]')
    .first()
    .setInputFiles(await file('logo.jpg'))
  const row = field.getByRole('listitem')
  await row.waitFor()
  expect(await field.getByRole('textbox').count()).toBe(0)
  expect(await overflowsSideways(page)).toEqual([])
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  const logo = async () => (await world.get(`/acteurs/${club.slug}`)).body.data.logo
  await expect.poll(logo).not.toBeNull()
  const visitor = await openPage({ url, width: 360 })
  await visitor.goto(`/acteurs/${club.slug}`)
  const shown = visitor.locator('.named img')
  await expect
    .poll(() => shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBeGreaterThan(0)
  expect(await overflowsSideways(visitor)).toEqual([])
  await row.getByRole('button', { name: /^Retirer/ }).click()
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await expect.poll(logo).toBeNull()
})

story('a mairie shows the coat of arms and a photo of its commune', async () => {
  const { hall, commune } = await openMairie(world)
  await db.updateTable('acteurs').set({ valide: true }).where('id', '=', hall.id).execute()
  const mayor = await world.user({ memberships: [{ acteur: hall, role: 'owner' }] })
  const page = await openPage({ url, session: await openSession(db, mayor.id), width: 360 })
  await page.goto(`/backoffice/espace/${hall.id}/commune`)
  const fields = ['Blason', 'Photo'].map((name) => page.getByRole('group', { name, exact: true }))
  for (const field of fields) {
    await field
      .locator('input[type=file]')
      .first()
      .setInputFiles(await file('image.jpg'))
    await field.getByRole('listitem').waitFor()
  }
  const [blason, photo] = fields as [Locator, Locator]
  expect(await blason.getByRole('textbox').count()).toBe(0)
  await photo.getByRole('textbox', { name: 'Que voit-on ?' }).fill('La place un jour de marché')
  expect(await overflowsSideways(page)).toEqual([])
  await page.getByRole('button', { name: 'Enregistrer' }).last().click()
  const read = async () => (await world.get(`/communes/${commune.slug}`)).body.data
  await expect
    .poll(read)
    .toMatchObject({ blason: { width: 60 }, photo: { alt: 'La place un jour de marché' } })
  const visitor = await openPage({ url, width: 360 })
  await visitor.goto(`/communes/${commune.slug}`)
  await visitor.getByRole('img', { name: 'La place un jour de marché' }).waitFor()
  await visitor.locator('.name img.arms').waitFor()
  expect(await overflowsSideways(visitor)).toEqual([])
  const folder = process.env.PARVIS_PICTURES
  if (folder) await visitor.screenshot({ path: `${folder}/360-blason.png` })
})

story(
  'a secretary gives the commune its name and a colour, and reads whether text in it is readable',
  async () => {
    const { hall, commune } = await openMairie(world)
    const by = await world.user({ memberships: [{ acteur: hall, permissions: ['manage_commune'] }] })
    const page = await openPage({ url, session: await openSession(db, by.id), width: 360 })
    await page.goto(`/backoffice/espace/${hall.id}/commune`)
    await page.getByRole('textbox', { name: 'Nom tel que vous l’écrivez' }).fill('Ville de Chambéry')
    const typed = page.getByRole('textbox', { name: /^Couleur/ })
    await typed.fill('#8a15')
    await page.getByText('Une couleur s’écrit comme').waitFor()
    await typed.fill('#8A1538')
    await page.getByText('Lisible sur fond blanc : contraste de 9,3 pour 1.').waitFor()
    await page.getByLabel('Choisir la couleur').fill('#ffcc00')
    await page.getByText('Trop claire pour du texte sur fond blanc').waitFor()
    expect(await typed.inputValue()).toBe('#ffcc00')
    expect(await barriersInEveryLook(page)).toEqual([])
    await page.getByRole('button', { name: 'Enregistrer' }).last().click()
    await page.getByText('C’est enregistré.').waitFor()
    const visitor = await openPage({ url, width: 360 })
    await visitor.goto(`/communes/${commune.slug}`)
    await visitor.getByRole('heading', { level: 1, name: 'Ville de Chambéry' }).waitFor()
    const shown = (selector: string, name: string) =>
      visitor.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`)
    // Darker, so that it is read on paper.
    expect(await shown('.menu [aria-current]', 'color')).toBe('rgb(115, 90, 0)')
    expect(await barriersInEveryLook(visitor)).toEqual([])
    const folder = process.env.PARVIS_PICTURES
    if (folder) {
      await page.screenshot({ path: `${folder}/360-color-form.png`, fullPage: true })
      await visitor.screenshot({ path: `${folder}/360-color.png` })
      await visitor.setViewportSize({ width: 1280, height: 800 })
      await visitor.screenshot({ path: `${folder}/1280-color.png` })
    }
  },
)

story('a secretary gives an élu a portrait on a phone, which the page of élus shows', async () => {
  const { hall, commune, owner } = await openMairie(world)
  await owner.patch(`/mairie/communes/${commune.id}`, {
    elus: [
      { nom: 'Vauquelin', prenom: 'Odile', fonction: 'Maire', photo_url: 'https://mairie.example/odile.jpg' },
      { nom: 'Petit', prenom: 'Zoé', fonction: 'Première adjointe' },
    ],
  })
  const mayor = await world.user({ memberships: [{ acteur: hall, role: 'owner' }] })
  const phone = { width: 360, hasTouch: true, isMobile: true }
  const page = await openPage({ url, session: await openSession(db, mayor.id), ...phone })
  await page.goto(`/backoffice/espace/${hall.id}/commune?tab=elus`)
  const list = page.getByRole('grid', { name: 'Élus' })
  const open = async () => {
    await list.getByRole('button', { name: 'Modifier Odile Vauquelin' }).tap()
    const dialog = page.getByRole('dialog')
    return { dialog, field: dialog.getByRole('group', { name: 'Portrait' }) }
  }
  const { dialog, field } = await open()
  await field.getByRole('button', { name: 'Prendre une photo' }).waitFor()
  await dialog.getByLabel('Adresse de la photo').waitFor()
  await field
    .locator('input[type=file]')
    .first()
    .setInputFiles(await file('odile.jpg', { width: 300, height: 400 }))
  await field.getByRole('listitem').waitFor()
  // The name stands beside it: no description is asked for, nor another address.
  expect(await field.getByRole('textbox').count()).toBe(0)
  await expect.poll(() => dialog.getByLabel('Adresse de la photo').count()).toBe(0)
  expect(await overflowsSideways(page)).toEqual([])
  expect(await barriersInEveryLook(page)).toEqual([])
  const folder = process.env.PARVIS_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/360-portrait-form.png` })
  await dialog.getByRole('button', { name: 'Enregistrer', exact: true }).tap()
  await dialog.waitFor({ state: 'detached' })
  const isShown = (image: Locator) =>
    expect
      .poll(() => image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth))
      .toBeGreaterThan(0)
  await isShown(list.locator('img'))
  expect(await overflowsSideways(page)).toEqual([])
  if (folder) await page.screenshot({ path: `${folder}/360-portrait-list.png` })
  const read = async () => (await world.get(`/communes/${commune.id}/elus`)).body.data
  expect(await read()).toMatchObject([{ photo: { width: 300, height: 400 } }, { photo: null }])
  // Another change of the list keeps it.
  await list.getByRole('button', { name: 'Retirer Zoé Petit' }).tap()
  await expect.poll(read).toMatchObject([{ nom: 'Vauquelin', photo: { width: 300 } }])
  for (const width of [360, 1_280]) {
    const visitor = await openPage({ url, width })
    await visitor.goto(`/communes/${commune.slug}/elus`)
    await isShown(visitor.locator('li picture img'))
    expect(await overflowsSideways(visitor)).toEqual([])
    expect(await barriersInEveryLook(visitor)).toEqual([])
    if (folder) await visitor.screenshot({ path: `${folder}/${width}-elus.png` })
  }
  const again = await open()
  await again.field.getByRole('button', { name: /^Retirer/ }).tap()
  await again.dialog.getByRole('button', { name: 'Enregistrer', exact: true }).tap()
  await expect.poll(read).toMatchObject([{ photo: null, photo_url: null }])
})

story(
  'a file that waits for the antivirus says so to its moderator, in its form and among those that were sent',
  async () => {
    const asSecretary = world.client({ token: secretary.token })
    const sent = await asSecretary.post(
      '/media',
      formOf(await photo(), { acteur_id: club.id, alt: 'Un ballon' }),
    )
    const { id } = sent.body.data
    await asSecretary.patch(`/me/acteurs/${club.id}`, { logo: id })
    const tombola = { acteur_id: club.id, title: 'Tombola', body: '<p>Samedi</p>', images: [id] }
    const publication = (await asSecretary.post('/publications', tombola)).body.data
    await db.updateTable('media').set({ unscanned_since: new Date() }).where('id', '=', id).execute()
    const page = await openPage({ url, session, width: 360 })
    await page.goto(`/backoffice/espace/${club.id}/page`)
    const field = page.getByRole('group', { name: 'Logo' })
    await field.getByRole('listitem').getByText('En attente de l’antivirus').waitFor()
    await field.getByRole('button', { name: /^Retirer/ }).click()
    await field.getByRole('button', { name: 'Déjà envoyées' }).click()
    await page.getByRole('dialog').getByText('En attente de l’antivirus').waitFor()
    expect(await overflowsSideways(page)).toEqual([])
    expect(await barriersInEveryLook(page)).toEqual([])
    const moderator = await world.user({ roles: ['moderator'] })
    const review = await openPage({ url, session: await openSession(db, moderator.id) })
    await review.goto(`/backoffice/publications/${publication.id}`)
    await review.getByRole('list', { name: 'Images' }).getByText('En attente de l’antivirus').waitFor()
  },
)
