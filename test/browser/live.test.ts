import { connect, createServer, type Socket } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { insertPublication, openAssociation } from '../../src/modules/publications/publications.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import { barriers, builtWebApp, openPage, story } from './browser.ts'
import { watchRequests } from './quiet.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp })
const { url, db } = world
const moderator = await world.user({ roles: ['moderator'], nom: 'Zoé Lambert' })
const session = await openSession(db, moderator.id)
const colleague = await world.as('moderator')
const { asOwner, content } = await openAssociation(world)
// The application tolerates a request refused by a loaded machine.
const expects = /status of 503/

/** Inserts these as the only publications, pending, in this order. */
async function insertPending(...titles: string[]): Promise<string[]> {
  await db.deleteFrom('publications').execute()
  const ids = []
  for (const [index, title] of titles.entries()) {
    const created_at = new Date(Date.now() - 60_000 * (100 - index))
    const pending = { moderation_status: 'pending', valide: false, publie_le: null } as const
    ids.push((await insertPublication(world, { title, created_at, ...pending })).id)
  }
  return ids
}

const decide = async (id: string | undefined, moderation_status: 'published' | 'rejected') => {
  const { status } = await colleague.patch(`/admin/publications/${id}/moderate`, { moderation_status })
  expect(status).toBe(200)
}

/** The tabs that opened an event connection, in their order: the first one and others. */
function connectionsOf(first: Page) {
  const tabs: ('first' | 'other')[] = []
  first.context().on('request', (request) => {
    if (request.url().endsWith('/admin/events'))
      tabs.push(request.frame().page() === first ? 'first' : 'other')
  })
  return tabs
}

story("colleagues' decisions and new items appear automatically without moving the list", async () => {
  const [first, second, third] = await insertPending('Fête de la pomme', 'Vide-grenier', 'Loto')
  const page = await openPage({ url, session, expects })
  const opened = page.waitForResponse((response) => response.url().endsWith(`/publications/${second}`))
  await page.goto(`/backoffice/queue?selected=${second}`)
  const list = page.getByRole('grid', { name: 'File de modération' })
  await page.getByRole('heading', { name: 'Vide-grenier' }).waitFor()
  // Of the list and the open publication, the other one may arrive later: the changes are made after both.
  await list.getByRole('row', { name: 'Fête de la pomme' }).waitFor()
  await (await opened).finished()
  const badge = page.getByRole('link', { name: /File de modération/ })
  await badge.getByText('3 en attente').waitFor()

  await decide(first, 'published')
  await list.getByRole('row', { name: 'Fête de la pomme' }).waitFor({ state: 'detached' })
  await badge.getByText('2 en attente').waitFor()

  await asOwner.post('/publications', { ...content, title: 'Concert de Noël' })
  const news = page.getByRole('button', { name: '1 nouvelle' })
  await news.waitFor()
  await expect.poll(() => list.getByRole('row').count()).toBe(2)

  // The open publication stays visible and shows the decision.
  await decide(second, 'rejected')
  await page.getByText('Une décision a été prise entre-temps').waitFor()
  await page.getByText('dans l’état « Rejetée »').waitFor()
  await expect.poll(() => list.getByRole('row').count()).toBe(2)
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Afficher la version actuelle' }).click()
  await page.getByText('Une décision a été prise entre-temps').waitFor({ state: 'detached' })
  await news.click()
  await list.getByRole('row', { name: 'Concert de Noël' }).waitFor()
  await list.getByRole('row', { name: 'Loto' }).waitFor()
  expect(third).toBeDefined()
})

story('tabs share one connection, and another tab takes over from the one that closes', async () => {
  const [first, second] = await insertPending('Fête de la pomme', 'Vide-grenier', 'Loto')
  const page = await openPage({ url, session, expects })
  const connections = connectionsOf(page)
  await page.goto('/backoffice/queue')
  await page.getByRole('row', { name: 'Loto' }).waitFor()
  const other = await page.context().newPage()
  await other.goto('/backoffice/queue')
  await other.getByRole('row', { name: 'Loto' }).waitFor()
  await decide(first, 'published')
  for (const tab of [page, other])
    await tab.getByRole('row', { name: 'Fête de la pomme' }).waitFor({ state: 'detached' })
  expect(connections).toEqual(['first'])

  await page.close()
  await expect.poll(() => connections).toEqual(['first', 'other'])
  await decide(second, 'published')
  await other.getByRole('row', { name: 'Vide-grenier' }).waitFor({ state: 'detached' })
  expect(connections).toEqual(['first', 'other'])
})

story('after a lost connection the missed changes are loaded', async () => {
  const [first] = await insertPending('Fête de la pomme', 'Vide-grenier')
  const line = await openLine(new URL(url))
  const page = await openPage({ url: line.url, session, expects: /ERR_|status of 503/ })
  const connections = connectionsOf(page)
  const untilQuiet = watchRequests(page)
  await page.goto('/backoffice/queue')
  await page.getByRole('row', { name: 'Fête de la pomme' }).waitFor()
  await expect.poll(() => connections.length).toBe(1)
  // A part of the screen that was still loading would have to be asked for again.
  await untilQuiet()
  line.cut()
  await page.getByText('Le service ne répond pas').waitFor()
  await decide(first, 'published')
  line.mend()
  await page.getByText('Le service ne répond pas').waitFor({ state: 'detached' })
  await page.getByRole('row', { name: 'Fête de la pomme' }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: 'Vide-grenier' }).waitFor()
})

/** A proxy to the service whose connections can be cut, as in a restart. */
async function openLine({ hostname, port }: URL) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((from) => {
    if (isCut) {
      from.destroy()
      return
    }
    const to = connect(Number(port), hostname)
    for (const [one, another] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {}).on('close', () => another.destroy())
      one.pipe(another)
    }
  })
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  onTestFinished(() => {
    cut()
    server.close()
  })
  const { port: own } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${own}`,
    cut,
    mend: () => {
      isCut = false
    },
  }
}
