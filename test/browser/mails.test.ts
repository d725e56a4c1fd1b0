import { sql } from 'kysely'
import { expect } from 'vitest'
import { claimsKit } from '../../src/modules/claims/claims.test-kit.ts'
import { messagesKit } from '../../src/modules/messages/messages.test-kit.ts'
import { sendReply } from '../../src/modules/messages/replying/jobs.ts'
import { startSmtpServer } from '../../src/platform/mail/mail-servers.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriersInBothThemes,
  builtWebApp,
  openPage,
  overflowsSideways,
  story,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()

/** The service with a mail server that refuses every recipient until told otherwise. */
async function open() {
  const server = { accepts: false }
  const smtp = await startSmtpServer({
    onRcptTo(_address, _session, done) {
      if (server.accepts) done()
      else done(Object.assign(new Error('5.1.1 no such mailbox'), { responseCode: 550 }))
    },
  })
  const world = await openWorld({ webApp, env: { MAIL_URL: `smtp://127.0.0.1:${smtp.port}` } })
  const { id } = await world.user({ roles: ['admin'], nom: 'Ada Byron' })
  const session = await openSession(world.db, id, { hasShownFactor: true })
  return { world, server, smtp, session, kit: messagesKit(world, await world.as('admin')) }
}

story('by keyboard alone: a mail that the server refused is found, and resent once it accepts', async () => {
  const { world, server, smtp, session, kit } = await open()
  await kit.reply(await kit.thread())
  // The reply does not wait for an undo.
  await sql`update pgboss.job set start_after = now() where name = ${sendReply.name}`.execute(world.db)
  await world.runJobs()
  const page = await openPage({ url: world.url, session })
  await page.goto('/backoffice/')
  await page.getByRole('link', { name: 'Courriels' }).focus()
  await page.keyboard.press('Enter')
  // The list follows the mail while it fails.
  const mail = page.getByRole('list', { name: 'Courriels' }).getByRole('listitem')
  await mail.filter({ hasText: 'Réponse de l’assistance : Bac non relevé' }).waitFor()
  await mail.getByText('odile@example.org').waitFor()
  await mail.getByText(/Réponse du serveur\s: .*no such mailbox/).waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  expect(smtp.received).toHaveLength(0)
  server.accepts = true
  await mail.getByRole('button', { name: 'Renvoyer' }).focus()
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Renvoyer ce courriel ?' })
  await question.getByText('Réponse de l’assistance, à odile@example.org.').waitFor()
  await question.getByText('Il n’est jamais parti').waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  await untilFocused(question.getByRole('button', { name: 'Annuler' }))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Le courriel est de nouveau en attente d’envoi').waitFor()
  await page.getByText('Aucun courriel à voir').waitFor()
  await expect.poll(() => smtp.received.length).toBe(1)
  await page.goto('/backoffice/mails?status=sent')
  await mail.filter({ hasText: 'Envoyé' }).waitFor()
  await expect.poll(() => mail.getByRole('button', { name: 'Renvoyer' }).count()).toBe(0)
})

story(
  'the count of the dashboard leads to uncertain mails; a warning says that one may arrive twice',
  async () => {
    const { world, session, kit } = await open()
    const id = await kit.reply(await kit.thread())
    await kit.moveMail(id, 'uncertain')
    const page = await openPage({ url: world.url, session, expects: /status of 409/ })
    await page.goto('/backoffice/')
    await page.getByRole('link', { name: 'Voir les courriels' }).click()
    await page.getByRole('listitem').getByText('Incertain', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Renvoyer' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText('Il est peut-être déjà arrivé').waitFor()
    // A colleague is faster.
    const colleague = await world.as('admin')
    expect((await colleague.post(`/admin/mails/${id}/resend`)).status).toBe(200)
    await question.getByRole('button', { name: 'Renvoyer' }).click()
    await page.getByText('Le courriel n’a pas été renvoyé').waitFor()
    await page.getByText('Aucun courriel dans cet état').waitFor()
    // Uncertain again, it is settled: the dashboard counts it no more.
    await kit.moveMail(id, 'uncertain')
    await page.reload()
    await page.getByRole('button', { name: /^Classer / }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Classer', exact: true }).click()
    await page.getByText('Aucun courriel dans cet état').waitFor()
    expect((await colleague.get('/admin/counts')).body.data.mails.count).toBe(0)
    await page.goto('/backoffice/mails?status=settled')
    await page.getByRole('listitem').getByText('Classé', { exact: true }).waitFor()
  },
)

story('a mail whose reason no longer exists says so, in English, on a phone, dark', async () => {
  const { world, session } = await open()
  const { claim } = claimsKit(world)
  const admin = await world.as('admin')
  const id = await claim({ acteur: await world.acteur({ nom: 'Chorale' }), email: 'odile@example.org' })
  await admin.post(`/admin/claims/${id}/question`, { body: 'Qui préside ?' })
  await admin.patch(`/admin/claims/${id}`, { status: 'rejected' })
  await sql`update claim_questions set email_status = 'failed', email_tries = 1`.execute(world.db)
  const page = await openPage({ url: world.url, session, width: 360, dark: true })
  await page.addInitScript(`localStorage.setItem('parvis.settings', '{"language":"en"}')`)
  await page.goto('/backoffice/mails')
  const mail = page.getByRole('listitem').filter({ hasText: 'Question about a claim: Chorale' })
  await mail.getByText('No longer needed: it cannot be resent.').waitFor()
  await expect.poll(() => mail.getByRole('button', { name: 'Resend' }).count()).toBe(0)
  expect(await barriersInBothThemes(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
  await mail.getByRole('link', { name: 'Question about a claim: Chorale' }).click()
  await expect.poll(() => page.url()).toContain(`/claims/${id}`)
})
