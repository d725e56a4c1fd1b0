import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { formOf, png } from '../../src/modules/media/media.test-kit.ts'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { openWorld } from '../support/world.ts'
import { barriersInBothThemes, openPage, overflowsSideways, story } from './browser.ts'

/** What a resident reads of the public site without a connection. */

const world = await openWorld()
const { db } = world
/** The way to the service. Chromium forgets at each navigation that the worker is to be offline, so the way is cut instead. */
const sockets = new Set<Socket>()
const way = createServer((socket) => {
  const service = connect(Number(new URL(world.url).port), '127.0.0.1')
  for (const [one, other] of [
    [socket, service],
    [service, socket],
  ] as const) {
    sockets.add(one)
    one.on('error', () => other.destroy()).on('close', () => sockets.delete(one))
    one.pipe(other)
  }
})
await once(way.listen(0, '127.0.0.1'), 'listening')
const { port } = way.address() as AddressInfo
const url = `http://127.0.0.1:${port}`
const cut = async () => {
  const closed = once(way.close(), 'close')
  for (const socket of sockets) socket.destroy()
  await closed
}
const mend = () => once(way.listen(port, '127.0.0.1'), 'listening')
afterAll(async () => {
  if (way.listening) await cut()
})
const admin = await world.as('admin')
const chambery = await world.commune({ nom: 'Chambéry', slug: 'chambery', departement: '73' })
const acteur = await world.acteur({ nom: 'Club', slug: 'club', commune_id: chambery.id, valide: true })
const collecte = { type_dechet: 'verre', mode: 'porte_a_porte', dates: [] }
await admin.patch(`/admin/communes/${chambery.id}`, {
  collectes: [
    { ...collecte, libelle: 'Bac jaune', jours: ['lundi'], secteur: 'Nord' },
    { ...collecte, libelle: 'Bac gris', jours: ['mardi'], secteur: 'Sud' },
  ],
})
const picture = (await admin.post('/media', formOf(await png('#4a7', { width: 900, height: 600 })))).body.data
  .id
await insertPublication(world, {
  ...{ slug: 'fete', title: 'Fête de la pomme', commune_id: chambery.id, acteur_id: acteur.id },
  images: [picture],
})
const town = async (slug: string) => world.commune({ nom: `Ville ${slug}`, slug })

/** A context of its own, with a worker of its own. */
const open = async (options: Partial<Parameters<typeof openPage>[0]> = {}) => {
  if (!way.listening) await mend()
  return openPage({ url, locale: 'fr-BE', expects: /404|410|503|ERR_/, ...options })
}

/** The addresses that the browser keeps for the pages of communes. */
const copies = (page: Page): Promise<string[]> =>
  page.evaluate(`caches.keys().then((names) =>
    names.filter((name) => name.startsWith('copie ')).map((name) => name.slice(6)).sort())`)

const opened = async (page: Page, path: string) => {
  await page.goto(path)
  const home = path.replace(/\/collectes/, '')
  const both = [home, home.replace(/(\?|$)/, '/collectes$1')].sort()
  await expect.poll(() => copies(page)).toEqual(both)
  // A tab that takes its turn after this one has nothing left to do.
  await page.evaluate(`navigator.locks.request('copie ', () => {})`)
  await page.evaluate('navigator.serviceWorker.ready')
}

story(
  'a resident without a connection reads the commune seen last, with its age, and nothing else',
  async () => {
    const page = await open({ width: 360, height: 800 })
    await opened(page, '/communes/chambery')
    await page.locator('.story img').scrollIntoViewIfNeeded()
    const pictures = `caches.open('copie /communes/chambery').then((copy) => copy.keys())
    .then((requests) => requests.filter(({ url }) => /\\/media\\//.test(url)).length)`
    await expect.poll(() => page.evaluate(pictures)).toBe(1)
    await page.goto('/recherche?q=pomme')
    await page.goto('/contact')
    await cut()

    await page.goto('/communes/chambery')
    await page.getByText('Vu à l’instant, hors connexion.').waitFor()
    await page.getByText('Fête de la pomme').waitFor()
    const shown = `[...document.images].filter(({ complete, naturalWidth }) => complete && naturalWidth > 0).length`
    await page.locator('.story img').scrollIntoViewIfNeeded()
    await expect.poll(() => page.evaluate(shown)).toBe(2)
    const isStyled = `getComputedStyle(document.querySelector('.note')).borderTopLeftRadius`
    expect(await page.evaluate(isStyled)).toBe('9px')
    expect(await barriersInBothThemes(page)).toEqual([])
    expect(await overflowsSideways(page)).toEqual([])
    await page.getByRole('link', { name: 'Mes bacs', exact: true }).first().click()
    await page.getByText('Vu à l’instant, hors connexion.').waitFor()
    await page.getByText('Bac jaune').waitFor()

    for (const path of [
      '/recherche?q=pomme',
      '/contact',
      '/communes/chambery/agenda',
      '/rien',
      '/publications/fete',
    ]) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'Hors connexion' }).waitFor()
      expect(await page.getByText('Fête de la pomme').count(), path).toBe(0)
    }
    expect(await barriersInBothThemes(page)).toEqual([])
    expect(await overflowsSideways(page)).toEqual([])
    await page.getByText('(à l’instant)').waitFor()
    await page.getByRole('link', { name: 'Chambéry', exact: true }).click()
    await page.getByText('Fête de la pomme').waitFor()
    // The installed site begins at its home.
    await page.goto('/')
    await expect.poll(() => page.url()).toBe(`${url}/communes/chambery`)

    await mend()
    await page.getByRole('link', { name: 'Réessayer' }).click()
    await expect.poll(() => page.getByText('hors connexion').count()).toBe(0)
    await page.getByText('Fête de la pomme').waitFor()
  },
)

story('a copy of another day says of which day it is', async () => {
  const page = await open()
  await opened(page, '/communes/chambery')
  const age = (ms: number) =>
    page.evaluate(`(async () => {
      for (const name of await caches.keys()) {
        const copy = await caches.open(name)
        for (const request of await copy.keys()) {
          const response = await copy.match(request)
          const headers = new Headers(response.headers)
          headers.set('date', new Date(Date.now() - ${ms}).toUTCString())
          await copy.put(request, new Response(await response.blob(), { headers }))
        }
      }
    })()`)
  await cut()
  await age(150_000)
  await page.goto('/communes/chambery')
  await page.getByText('Vu il y a 2 min, hors connexion.').waitFor()
  await age(2 * 86_400_000)
  await page.goto('/communes/chambery/collectes')
  await page.getByText('Vu il y a 2 j, hors connexion. La page date du ').waitFor()
  await page.getByText('« aujourd’hui » et « demain » se comptent à partir de ce jour.').waitFor()
})

story('the copy of a secteur is not shown for another one, and answers for the commune', async () => {
  const page = await open()
  await opened(page, '/communes/chambery/collectes?secteur=Nord')
  await cut()
  await page.goto('/communes/chambery/collectes?secteur=Nord')
  await page.getByRole('heading', { name: 'Bac jaune' }).waitFor()
  expect(await page.getByText('Bac gris').count()).toBe(0)
  await page.goto('/communes/chambery/collectes')
  await expect.poll(() => page.url()).toBe(`${url}/communes/chambery/collectes?secteur=Nord`)
  for (const search of ['?secteur=Sud', '?secteur=Nord&annee=1']) {
    await page.goto(`/communes/chambery/collectes${search}`)
    await page.getByRole('heading', { name: 'Hors connexion' }).waitFor()
  }
})

story('the commune opened last replaces the copy, whichever tab opened it', async () => {
  const page = await open()
  await town('une')
  await town('deux')
  await opened(page, '/communes/une')
  const other = await page.context().newPage()
  await opened(other, '/communes/deux/collectes')
  await cut()
  await page.goto('/communes/une')
  await page.getByRole('heading', { name: 'Hors connexion' }).waitFor()
  await page.getByRole('link', { name: 'Ville deux' }).click()
  await page.getByText('Vu à l’instant, hors connexion.').waitFor()
})

story('a commune may be named like one of its pages', async () => {
  for (const slug of ['collectes', 'ecran']) {
    const page = await open()
    await town(slug)
    await page.goto(`/communes/${slug}`)
    await expect.poll(() => copies(page)).toEqual([`/communes/${slug}`, `/communes/${slug}/collectes`])
    await page.evaluate('navigator.serviceWorker.ready')
    await cut()
    await page.goto('/')
    await expect.poll(() => page.url()).toBe(`${url}/communes/${slug}`)
    await page.getByText('Vu à l’instant, hors connexion.').waitFor()
    await page.goto(`/communes/${slug}/collectes`)
    await page.getByText('Vu à l’instant, hors connexion.').waitFor()
    await page.goto('/contact')
    await page.getByRole('link', { name: `Ville ${slug}`, exact: true }).waitFor()
  }
})

story('a page that changed replaces its copy', async () => {
  const page = await open()
  const { id } = await town('change')
  await opened(page, '/communes/change')
  await db.updateTable('communes').set({ nom: 'Ville nouvelle' }).where('id', '=', id).execute()
  await expect
    .poll(async () => {
      await page.goto('/communes/change')
      return page.getByRole('heading', { level: 1 }).innerText()
    })
    .toBe('Ville nouvelle')
  const kept = `caches.match('/communes/change').then((copy) => copy.text())`
  await expect.poll(() => page.evaluate(kept)).toContain('Ville nouvelle')
})

story('a commune that is gone takes its copy along', async () => {
  const page = await open()
  const { id } = await town('partie')
  await opened(page, '/communes/partie')
  await db.deleteFrom('communes').where('id', '=', id).execute()
  await expect.poll(async () => (await page.goto('/communes/partie/collectes'))?.status()).toBe(404)
  expect(await copies(page)).toEqual([])
  await cut()
  await page.goto('/communes/partie')
  await page.getByRole('heading', { name: 'Hors connexion' }).waitFor()
  expect(await page.getByText('Vous pouvez relire').count()).toBe(0)
})

story('a new worker keeps the copy, and removes the look of the former one', async () => {
  const page = await open()
  await opened(page, '/communes/chambery')
  const look = `caches.open('apparence').then((cache) => cache.keys())
    .then((requests) => requests.map(({ url }) => new URL(url).pathname).sort())`
  const files = await page.evaluate(look)
  await page.evaluate(
    `caches.open('apparence').then((cache) => cache.put('/site/ancien.css', new Response('')))`,
  )
  expect(await page.evaluate(look)).not.toEqual(files)
  await page.evaluate('navigator.serviceWorker.ready.then((registration) => registration.unregister())')
  await page.goto('/communes/chambery')
  await expect.poll(() => page.evaluate(look)).toEqual(files)
  expect(await copies(page)).toHaveLength(2)
})

story('a page in a frame registers no worker, and keeps nothing', async () => {
  const page = await open()
  await page.goto('/communes/chambery/collectes?embed=1')
  await page.goto('/communes/chambery/alertes')
  expect(await page.evaluate('navigator.serviceWorker.getRegistrations().then(({ length }) => length)')).toBe(
    0,
  )
  expect(await page.evaluate('caches.keys()')).toEqual([])
})
