import { type RawBuilder, sql } from 'kysely'
import type { Page, Response } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { messagesKit } from '../../src/modules/messages/messages.test-kit.ts'
import { sendReply } from '../../src/modules/messages/replying/jobs.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { readMessage, startSmtpServer } from '../../src/platform/mail/mail-servers.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriers,
  barriersInBothThemes,
  builtWebApp,
  intercept,
  meanwhile,
  openPage,
  overflowsSideways,
  story,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const mail = await startSmtpServer({}, afterAll)
const world = await openWorld({ webApp, env: { MAIL_URL: `smtp://127.0.0.1:${mail.port}` } })
await world.runJobs()
const { url, db } = world
const zoe = await world.user({ roles: ['support'], nom: 'Zoé Lambert' })
const session = await openSession(db, zoe.id)
const basile = await world.user({ roles: ['support'], nom: 'Basile' })
const colleague = world.client({ source: 'backoffice', token: basile.token })
const { thread, reply, read, messagesOf, moveMail } = messagesKit(world, colleague)

const field = (page: Page) => page.getByRole('textbox', { name: 'Votre réponse' })
const open = async (page: Page, id: string) => {
  await page.goto(`/backoffice/messages?selected=${id}`)
  await field(page).waitFor()
}
const startReplies = (at: RawBuilder<unknown>) =>
  sql`update pgboss.job set start_after = ${at} where name = ${sendReply.name}`.execute(db)
const storedDraft = (id: string) =>
  db
    .selectFrom('support_drafts')
    .select('body')
    .where('thread_id', '=', id)
    .where('user_id', '=', zoe.id)
    .executeTakeFirst()

story('without a template, the button says how to make the first one', async () => {
  const page = await openPage({ url, session })
  await open(page, await thread({ nom: 'Paul', subject: 'Banc', email: 'paul@example.org' }))
  await page.getByRole('button', { name: 'Modèles de réponse' }).click()
  await page.getByText('Aucun modèle pour l’instant').waitFor()
  await field(page).fill('Le banc est réparé.')
  await page.getByRole('button', { name: /comme modèle/ }).waitFor()
})

story('by keyboard alone: three threads are answered with a template, and one reply is undone', async () => {
  const template = {
    id: crypto.randomUUID(),
    kind: 'reply',
    name: 'C’est transmis',
    body: 'Bonjour {{nom}}, votre message « {{titre}} » est transmis.',
  }
  await db.insertInto('reply_templates').values(template).execute()
  const ids = [
    await thread({ nom: 'Odile', subject: 'Bac', email: 'odile1@example.org' }),
    await thread({ nom: 'Pierre', subject: 'Lampadaire', email: 'pierre@example.org' }),
    await thread({ nom: 'Jeanne', subject: 'Horaires', email: 'jeanne@example.org' }),
  ]
  // Marking a thread as read changes its version: the reply is then sent again with the new one.
  const page = await openPage({ url, session, expects: /412/ })
  const templates = page.waitForResponse(/templates\?kind=reply/)
  await page.goto('/backoffice/')
  await page.getByRole('link', { name: /^Échanges non lus/ }).click()
  await page.getByRole('grid', { name: 'Messages' }).getByRole('row').nth(2).waitFor()
  for (const [subject, nom] of [
    ['Horaires', 'Jeanne'],
    ['Lampadaire', 'Pierre'],
    ['Bac', 'Odile'],
  ] as const) {
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: subject, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Modèles' }).waitFor()
    await (await templates).finished()
    await page.keyboard.press('1')
    const text = `Bonjour ${nom}, votre message « ${subject} » est transmis.`
    await expect.poll(() => field(page).inputValue()).toBe(text)
    await page.keyboard.press('Control+Enter')
    await page.getByText(`Réponse à ${nom}`).waitFor()
    // It waits longer than ten seconds for an undo, which may take as long here.
    await startReplies(sql`now() + interval '1 hour'`)
    await page.getByRole('list', { name: 'Messages de l’échange' }).getByText(text).waitFor()
  }
  await page.getByText('Part dans quelques secondes').first().waitFor()
  // The last one is undone: its text is in the field again.
  await page.keyboard.press('u')
  await page.getByText('L’envoi est annulé').waitFor()
  await expect.poll(() => field(page).inputValue()).toMatch(/Odile/)
  await untilFocused(field(page))
  expect(await storedDraft(ids[0] ?? '')).toMatchObject({ body: expect.stringMatching(/Odile/) })
  await page.keyboard.press('Escape')
  await page.keyboard.press('k')
  await page.getByRole('heading', { name: 'Lampadaire', exact: true }).waitFor()
  // The ten seconds of the other two are over: they leave, and the screen says so by itself.
  await startReplies(sql`now()`)
  await page.getByText('Envoyée', { exact: true }).waitFor()
  await expect.poll(() => mail.received.length).toBe(2)
  const to = mail.received.map(({ session: { envelope } }) => envelope.rcptTo[0]?.address).sort()
  expect(to).toEqual(['jeanne@example.org', 'pierre@example.org'])
  expect(mail.received.map(({ content }) => readMessage(content).text).join()).toMatch(/Lampadaire/)
  expect(await messagesOf(ids[0] ?? '')).toHaveLength(1)
  // A template is edited beside the reply, and sends no reply.
  await page.keyboard.press('1')
  await expect.poll(() => field(page).inputValue()).toMatch(/Pierre/)
  await page.getByRole('button', { name: 'Modèles' }).click()
  await page.getByRole('button', { name: `Modifier le modèle ${template.name}` }).click()
  await page.getByLabel('Nom du modèle').fill('Transmis')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '1 Transmis' }).waitFor()
  expect(await messagesOf(ids[1] ?? '')).toHaveLength(2)
})

story('an undone reply is in the field again, also while the thread is being read from before', async () => {
  const id = await thread({ nom: 'Odile', subject: 'Composteur', email: 'odile2@example.org' })
  const page = await openPage({ url, session })
  await open(page, id)
  await field(page).fill('Votre composteur est commandé.')
  await page.getByText('Brouillon enregistré').waitFor()
  // The thread is read after the sending; that response arrives after the reply is undone.
  const undone = Promise.withResolvers<void>()
  const read = Promise.withResolvers<void>()
  await intercept(page, `**/admin/messages/threads/${id}`, async (route) => {
    const response = await route.fetch()
    read.resolve()
    await undone.promise
    await route.fulfill({ response })
  })
  await field(page).press('Control+Enter')
  await page.getByText('Réponse à Odile').waitFor()
  await read.promise
  const isUndone = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.keyboard.press('u')
  await isUndone
  undone.resolve()
  await page.getByText('L’envoi est annulé').waitFor()
  await expect.poll(() => field(page).inputValue()).toBe('Votre composteur est commandé.')
})

story('a reply that is sent while the thread is being marked as read is sent', async () => {
  const id = await thread({ nom: 'Odile', subject: 'Broyat', email: 'odile3@example.org' })
  const page = await openPage({ url, session })
  const pressed = Promise.withResolvers<void>()
  await meanwhile(page, `**/${id}/read`, async () => {
    await field(page).fill('Le broyat est à la déchetterie.')
    await field(page).press('Control+Enter')
    pressed.resolve()
  })
  await open(page, id)
  await pressed.promise
  await page.getByText('Réponse à Odile').waitFor()
  expect(await messagesOf(id)).toHaveLength(2)
})

story('a draft survives a reload and is on the service for another device', async () => {
  const id = await thread({ subject: 'Brouillon' })
  const page = await openPage({ url, session })
  await open(page, id)
  await page.keyboard.press('r')
  await page.keyboard.type('Bonjour Odile, nous')
  await page.getByText('Brouillon enregistré').waitFor()
  await page.keyboard.type(' regardons cela.')
  await page.reload()
  await expect.poll(() => field(page).inputValue()).toBe('Bonjour Odile, nous regardons cela.')
  await expect.poll(async () => (await storedDraft(id))?.body).toBe('Bonjour Odile, nous regardons cela.')
  const phone = await openPage({ url, session })
  await open(phone, id)
  await expect.poll(() => field(phone).inputValue()).toBe('Bonjour Odile, nous regardons cela.')
  // What is typed while a template is being read stays before it.
  const template = { id: crypto.randomUUID(), kind: 'reply', name: 'Formule', body: 'Bien à vous' }
  await db.insertInto('reply_templates').values(template).execute()
  await phone.reload()
  await phone.getByRole('button', { name: 'Modèles' }).click()
  await meanwhile(phone, '**/preview', async () => {
    await field(phone).press('End')
    await field(phone).pressSequentially(' Merci.')
  })
  await phone.getByRole('button', { name: /^\d Formule/ }).click()
  const whole = 'Bonjour Odile, nous regardons cela. Merci.\n\nBien à vous'
  await expect.poll(() => field(phone).inputValue()).toBe(whole)
  await db.deleteFrom('reply_templates').where('id', '=', template.id).execute()
})

story('a reply to a thread that a colleague has answered meanwhile asks first', async () => {
  const id = await thread({ subject: 'Conflit' })
  const page = await openPage({ url, session, expects: /412/ })
  await open(page, id)
  await page.keyboard.press('r')
  await page.keyboard.type('Nous nous en occupons.')
  await reply(id, 'C’est réparé depuis hier.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Basile a répondu pendant que vous écriviez.').waitFor()
  await page.getByRole('button', { name: 'Envoyer quand même' }).waitFor()
  await page.getByRole('list', { name: 'Messages de l’échange' }).getByText('C’est réparé').waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  expect(await messagesOf(id)).toHaveLength(2)
  await expect.poll(() => field(page).inputValue()).toBe('Nous nous en occupons.')
  await page.keyboard.press('Control+Enter')
  await expect.poll(async () => (await messagesOf(id)).length).toBe(3)
})

story('a reply waits for messages that are being read, and asks once for each of a colleague', async () => {
  const id = await thread({ subject: 'Croisement' })
  const page = await openPage({ url, session, expects: /412/ })
  await open(page, id)
  await page.keyboard.press('r')
  await page.keyboard.type('Nous nous en occupons.')
  const late = Promise.withResolvers<void>()
  let isReplied = false
  await intercept(page, `**/threads/${id}/messages?*`, async (route) => {
    // The thread is read again only after messages that were requested before.
    if (isReplied) await late.promise
    await route.continue()
  })
  const known = page.waitForResponse((response) => response.url().endsWith(`/threads/${id}`))
  isReplied = true
  await reply(id, 'C’est réparé depuis hier.')
  // The page has the new version of the thread, but not yet the message.
  await (await known).finished()
  await page.keyboard.press('Control+Enter')
  late.resolve()
  await page.getByRole('button', { name: 'Envoyer quand même' }).waitFor()
  expect(await messagesOf(id)).toHaveLength(2)
  // Another change of the thread is no reason to ask again.
  await meanwhile(page, `**/${id}/reply`, () => colleague.patch(`/admin/messages/threads/${id}/unread`))
  await page.keyboard.press('Control+Enter')
  await page.getByText('Réponse à Odile').waitFor()
  expect(await messagesOf(id)).toHaveLength(3)
})

story('a reply waits for a message that its thread has and the screen has not', async () => {
  const id = await thread({ subject: 'Décalage' })
  const page = await openPage({ url, session, expects: /412/ })
  await open(page, id)
  await page.keyboard.press('r')
  await page.keyboard.type('Nous nous en occupons.')
  const late = Promise.withResolvers<void>()
  const before = await colleague.get(`/admin/messages/threads/${id}/messages?per_page=50`)
  let requests = 0
  let isReplied = false
  await intercept(page, `**/threads/${id}/messages?*`, async (route) => {
    // The service has read the messages before the reply of the colleague, and the thread after it.
    if (!isReplied || requests++ === 0) return route.fulfill({ json: before.body })
    await late.promise
    await route.continue()
  })
  const { last_message_at } = await read(id)
  const isKnown = async (response: Response) =>
    response.url().endsWith(`/threads/${id}`) &&
    (await response.json()).data.last_message_at > last_message_at
  const known = page.waitForResponse(isKnown)
  isReplied = true
  const stale = page.waitForResponse((response) => response.url().includes(`/threads/${id}/messages?`))
  await reply(id, 'C’est réparé depuis hier.')
  await Promise.all([known, stale].map(async (response) => (await response).finished()))
  await page.keyboard.press('Control+Enter')
  late.resolve()
  await page.getByRole('button', { name: 'Envoyer quand même' }).waitFor()
  expect(await messagesOf(id)).toHaveLength(2)
})

story('threads are closed in bulk, undone, assigned and noted', async () => {
  const ids = [await thread({ subject: 'Lot A' }), await thread({ subject: 'Lot B' })]
  const page = await openPage({ url, session })
  await page.goto('/backoffice/messages?q=lot')
  const row = (name: string) => page.getByRole('row', { name })
  await row('Lot B').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByText('2 sélectionnés').waitFor()
  await page.keyboard.press('c')
  await page.getByText('2 échanges modifiés').waitFor()
  expect([(await read(ids[0] ?? '')).status, (await read(ids[1] ?? '')).status]).toEqual(['closed', 'closed'])
  // What a colleague has changed since is left alone.
  await meanwhile(page, '**/threads/bulk', () =>
    colleague.patch(`/admin/messages/threads/${ids[1]}/flag`, { flag: 'red' }),
  )
  await page.keyboard.press('u')
  await page.getByText('La modification est annulée').waitFor()
  await page.getByText('1 échange laissé tel quel').waitFor()
  expect([(await read(ids[0] ?? '')).status, (await read(ids[1] ?? '')).status]).toEqual(['open', 'closed'])
  await open(page, ids[0] ?? '')
  await page.keyboard.press('a')
  await page.getByText('L’échange est attribué').waitFor()
  expect((await read(ids[0] ?? '')).assignee_user).toMatchObject({ nom: 'Zoé Lambert' })
  await page.keyboard.press('n')
  await untilFocused(page.getByRole('textbox', { name: 'Nouvelle note' }))
  await page.keyboard.type('Vu avec les services techniques.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Vu avec les services techniques.').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Raccourcis clavier' }).getByText('M’en charger').waitFor()
})

story('a reply that may have arrived is sent again after a question, a failed one at once', async () => {
  const id = await thread({ subject: 'Incertain', email: 'incertain@example.org' })
  const [first, second] = [await reply(id, 'Peut-être'), await reply(id, 'Non')]
  await moveMail(first, 'uncertain')
  await moveMail(second, 'failed')
  const page = await openPage({ url, session })
  await open(page, id)
  await page.getByText('Peut-être arrivée').waitFor()
  await page.getByText('N’est pas partie').waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Renvoyer' }).first().click()
  const dialog = page.getByRole('alertdialog', { name: 'Renvoyer cette réponse ?' })
  await dialog.getByRole('button', { name: 'Renvoyer' }).click()
  await page.getByText('La réponse repart').waitFor()
  await page.getByText('Envoyée', { exact: true }).first().waitFor()
})

story('the palette finds a thread by a word of it, and the menu shows how many are unread', async () => {
  const id = await thread({ subject: 'Girouette tordue', email: 'autre@example.org' })
  const other = await thread({ subject: 'Encore la girouette', email: 'autre@example.org' })
  const page = await openPage({ url, session })
  await page.goto('/backoffice/account')
  await page.getByRole('link', { name: /Messages.*en attente/ }).waitFor()
  await page.keyboard.press('Control+k')
  await untilFocused(page.getByRole('dialog').locator('input'))
  await page.keyboard.type('girouette tordue')
  await page.getByRole('menuitem', { name: /Girouette tordue/ }).waitFor()
  // Entries that match only the first words disappear when the next results arrive, and the focus with them.
  await expect.poll(() => page.getByRole('menuitem').count()).toBe(1)
  await page.keyboard.press('ArrowDown')
  await page
    .getByRole('menuitem', { name: /Girouette tordue/ })
    .and(page.locator('[data-focused]'))
    .waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/messages?selected=${id}`)
  const details = page.getByRole('complementary', { name: 'Détails' })
  await details.getByRole('link', { name: 'Encore la girouette' }).click()
  await page.waitForURL(`**/messages?selected=${other}`)
  // It counts as read once it has been on the screen.
  await expect.poll(async () => (await read(other)).unread).toBe(false)
})

story('on a phone, in English and dark, one pane is shown at a time', async () => {
  const id = await thread({ subject: 'Small screen' })
  // Opening the thread marks it as read: a reply sent before the screen knows is refused, and sent again.
  const page = await openPage({ url, session, width: 360, dark: true, expects: /412/ })
  await page.addInitScript(`localStorage.setItem('parvis.settings', '{"language":"en"}')`)
  await page.goto('/backoffice/messages?q=small')
  const list = page.getByRole('grid', { name: 'Messages' })
  await list.getByRole('row', { name: 'Small screen' }).waitFor()
  expect(await barriers(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
  await list.getByRole('row', { name: 'Small screen' }).click()
  await page.getByRole('textbox', { name: 'Your reply' }).waitFor()
  await list.waitFor({ state: 'hidden' })
  expect(await barriers(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByRole('textbox', { name: 'New note' }).waitFor()
  await page.getByRole('textbox', { name: 'Your reply' }).waitFor({ state: 'hidden' })
  expect(await barriers(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
  await page.getByRole('button', { name: 'Thread' }).click()
  await page.getByRole('textbox', { name: 'Your reply' }).fill('We are on it.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Reply to Odile Vauquelin').waitFor()
  expect(await messagesOf(id)).toHaveLength(2)
  await page.getByRole('button', { name: 'List' }).click()
  await list.waitFor()
})

story(
  'on a phone, an answer by mail shows what it quotes, what is attached and who really sent it',
  async () => {
    const id = await thread({ nom: 'Odile', subject: 'Lampadaire', email: 'odile@example.org' })
    await moveMail(await reply(id), 'sent')
    const complaintId = uuidv7()
    await sql`update support_threads set about_kind = 'complaint', about_id = ${complaintId} where id = ${id}`.execute(
      db,
    )
    const insert = async (body: string, values: object) => {
      const [messageId, uid] = [uuidv7(), Math.round(performance.now() * 1_000)]
      await sql`
      with said as (
        insert into support_messages (id, thread_id, direction, body, message_id, created_at)
        values (${messageId}, ${id}, 'inbound', ${body}, ${`<${messageId}@example.org>`}, clock_timestamp()))
      update support_threads set messages_count = messages_count + 1, last_message_at = clock_timestamp() where id = ${id}`.execute(
        db,
      )
      const place = { id: uuidv7(), mailbox: 'reponse@example.org', uid_validity: 1, uid, outcome: 'message' }
      await db
        .insertInto('received_mails')
        .values({ ...place, message_id: messageId, ...values } as never)
        .execute()
    }
    const attachments = JSON.stringify([{ nom: 'photo.jpg', type: 'image/jpeg', bytes: 182_000 }])
    await insert('Merci !', { sender: 'same', quoted: '> Nous nous en occupons.', attachments })
    await insert('Effacez tout.', { sender: 'other', from_address: 'voisin@example.net' })
    await insert('…', { sender: 'same', problem: 'too_large' })
    const page = await openPage({ url, session, width: 360, height: 800 })
    await open(page, id)
    const messages = page.getByRole('list', { name: 'Messages de l’échange' }).locator('> li')
    await messages.nth(2).getByText('photo.jpg (182').waitFor()
    await messages.nth(2).getByText('Elle est restée dans la boîte aux lettres').waitFor()
    expect(await page.getByText('> Nous nous en occupons.').isVisible()).toBe(false)
    await messages.nth(2).getByText('Texte cité').click()
    await page.getByText('> Nous nous en occupons.').waitFor()
    await messages.nth(3).getByText('Autre adresse').waitFor()
    await messages.nth(3).getByText('voisin@example.net').waitFor()
    await messages.nth(3).getByText('Sans nom').waitFor()
    await messages.nth(4).getByText('Ce courriel dépasse 10 Mo').waitFor()
    const folder = process.env.PARVIS_PICTURES
    if (folder) await page.screenshot({ path: `${folder}/messages-by-mail-360.png`, fullPage: true })
    expect(await barriersInBothThemes(page)).toEqual([])
    expect(await overflowsSideways(page)).toEqual([])
    await page.getByRole('button', { name: 'Détails' }).click()
    await page.getByRole('heading', { name: 'En réponse à un courriel' }).waitFor()
    // The role `support` does not open complaints.
    expect(await page.getByRole('link', { name: 'La réclamation' }).count()).toBe(0)
    await page.getByText('La réclamation', { exact: true }).waitFor()
  },
)
