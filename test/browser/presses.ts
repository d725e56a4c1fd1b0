import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { insertDemo } from '../../demo/load.ts'
import { loadGroups } from '../../src/loaders/groups/load.ts'
import { createRun } from '../../src/loaders/run.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { cloneWithCommunes } from '../support/many/communes.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import { builtWebApp, openPage, story } from './browser.ts'
import { watchRequests } from './quiet.ts'

const world = await openWorld({ webApp: await builtWebApp(), database: await cloneWithCommunes() })
const { url, db } = world
await db.transaction().execute(async (tx) => {
  await loadGroups(tx, null, createRun())
  await insertDemo(tx, url)
})
const user = await world.user({ roles: ['admin'], nom: 'Zoé Lambert' })
const session = await openSession(db, user.id)
const commune = await db
  .selectFrom('communes')
  .select(['id', 'mairie_actor_id'])
  .where('slug', '=', 'chambery')
  .executeTakeFirstOrThrow()
const mairie = commune.mairie_actor_id ?? ''
await db.insertInto('actor_users').values({ acteur_id: mairie, user_id: user.id, role: 'owner' }).execute()

const firstIn = (table: 'claims' | 'defibrillateurs' | 'import_sources' | 'subscriptions' | 'groups') =>
  db.selectFrom(table).select('id').limit(1).executeTakeFirstOrThrow()
const ofMairie = (table: 'publications' | 'acts') =>
  db.selectFrom(table).select('id').where('acteur_id', '=', mairie).limit(1).executeTakeFirstOrThrow()
const written = await db
  .selectFrom('commune_pages')
  .select(['id', 'commune_id'])
  .limit(1)
  .executeTakeFirstOrThrow()
const publication = await ofMairie('publications')
const domain = { id: uuidv7(), host: 'mairie.example', commune_id: commune.id, token: 't'.repeat(43) }
await db.insertInto('domains').values(domain).execute()

/** What each path with a parameter leads to. The demo has no complaint: its screen says so. */
const records: Record<string, string> = {
  '/complaints/$id': `/complaints/${commune.id}`,
  '/publications/$id': `/publications/${publication.id}`,
  '/espace/$acteurId/publications/$id': `/espace/${mairie}/publications/${publication.id}`,
  '/espace/$acteurId/actes/$id': `/espace/${mairie}/actes/${(await ofMairie('acts')).id}`,
  '/espace/$acteurId/commune/$communeId/pages/$id': `/espace/${mairie}/commune/${written.commune_id}/pages/${written.id}`,
  '/espace/$acteurId/commune/$communeId/pages': `/espace/${mairie}/commune/${commune.id}/pages`,
  '/claims/$id': `/claims/${(await firstIn('claims')).id}`,
  '/communes/$id': `/communes/${commune.id}`,
  '/defibrillateurs/$id': `/defibrillateurs/${(await firstIn('defibrillateurs')).id}`,
  '/imports/$id': `/imports/${(await firstIn('import_sources')).id}`,
  '/acteurs/$id': `/acteurs/${mairie}`,
  '/subscriptions/$id': `/subscriptions/${(await firstIn('subscriptions')).id}`,
  '/users/$userId': `/users/${user.id}`,
  '/groups/$id': `/groups/${(await firstIn('groups')).id}`,
  '/domains/$id': `/domains/${domain.id}`,
}

const declared = /const \w+ = createRoute\(\{\s+getParentRoute: \(\) => (\w+),\s+path: '([^']+)'/g
const screens = [...readFileSync('web/src/router.tsx', 'utf8').matchAll(declared)]
  .map(([, parent, path = '']) => (parent === 'space' ? `/espace/$acteurId${path}` : path))
  .filter((path) => path !== '$' && path !== '/sign-in')

/** A request that writes is refused in the page, and no press leads out of the application, or needs a permission. */
const staysAsItIs = `{
  history.back = () => {}
  navigator.clipboard.writeText = () => Promise.resolve()
  const { fetch } = window
  const refusal = { error: 'conflict', message: 'Refusé' }
  window.fetch = (input, init) =>
    (init?.method ?? input.method ?? 'GET') === 'GET'
      ? fetch(input, init)
      : Promise.resolve(Response.json(refusal, { status: 409 }))
}`

/**
 * Presses the controls from one on, and closes what they open. Ends early at one that leads to another screen or opens what
 * Escape does not close. Of the rows of a list, the first two are pressed.
 */
const pressFrom = (from: number) => `(async () => {
  const { pathname } = location
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const isShown = (element) => element.isConnected && element.checkVisibility({ visibilityProperty: true })
  const isOpen = () => document.querySelector('[role=dialog], [role=alertdialog], [role=listbox], [role=menu]') !== null
  const isInLaterRow = (element) => {
    const row = element.closest('tr, li, article, [role=row]')
    return row !== null && [...row.parentElement.children].indexOf(row) > 1
  }
  const nameOf = (element) => element.cloneNode().outerHTML.slice(0, 160)

  /** A hidden input outside of what scrolls it stays where it was: its focus scrolls the window there. */
  const strays = () => [...document.querySelectorAll('*')].flatMap((element) => {
    if (element.offsetParent === null || getComputedStyle(element).position !== 'absolute') return []
    for (let at = element.parentElement; at !== null && at !== element.offsetParent; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return nameOf(element) + ' is not in ' + nameOf(at)
    return []
  })
  const moves = () => {
    const { scrollHeight, firstElementChild } = document.documentElement
    const top = document.querySelector('#root > *')?.getBoundingClientRect().top ?? 0
    const isMoved = scrollX !== 0 || scrollY !== 0 || top !== 0
    return [
      ...(isMoved ? ['window at ' + scrollX + ', ' + scrollY + ', frame at ' + top] : []),
      ...(scrollHeight > innerHeight ? ['window is ' + scrollHeight + ' high'] : []),
      ...strays(),
    ]
  }

  // Controls of the frame are pressed once.
  const place = document.querySelector(location.pathname === '/backoffice/' ? 'body' : 'main') ?? document.body
  const controls = [...place.querySelectorAll(
    'button, label:has(input), input, textarea, select, summary, [role=tab], [role=spinbutton], [contenteditable=true]',
  )].filter((element) => !element.matches(':disabled, label *') && !isInLaterRow(element) && isShown(element))
  const moved = moves()
  for (const [index, control] of controls.entries()) {
    if (index < ${from} || !isShown(control)) continue
    control.scrollIntoView({ block: 'end', behavior: 'instant' })
    const focused = control.matches('label') ? control.querySelector('input') : control
    focused.focus()
    control.click()
    await drawn()
    moved.push(...moves().map((move) => 'after a press of ' + nameOf(control) + ': ' + move))
    const key = { key: 'Escape', bubbles: true, cancelable: true }
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', key))
    for (let frame = 0; frame < 20 && isOpen(); frame++) await drawn()
    if (location.pathname !== pathname || isOpen()) return { next: index + 1, moved }
  }
  return { next: null, moved }
})()`

/** Each kind has a file of its own, so that they run beside one another. */
type Kind = 'espace' | 'record' | 'list'

function kindOf(path: string): Kind {
  if (path.startsWith('/espace')) return 'espace'
  return path.includes('$') ? 'record' : 'list'
}

/** Presses every control of the screens of a kind, with the content of the demo: none moves the window or the frame. */
export function pressEveryControl(kind: Kind): void {
  for (const path of screens) if (kindOf(path) === kind) pressControls(path)
}

function pressControls(path: string): void {
  story(`no control of ${path} moves the window or the frame`, async () => {
    const page = await openPage({ url, session, height: 420, expects: /status of 404|inline style/ })
    await page.addInitScript(staysAsItIs)
    const untilQuiet = watchRequests(page)
    const moved = new Set<string>()
    for (let from: number | null = 0; from !== null; ) {
      await page.goto(`/backoffice${records[path] ?? path.replace('$acteurId', mairie)}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await untilQuiet()
      const pressed = (await page.evaluate(pressFrom(from))) as Pressed
      for (const move of pressed.moved) moved.add(move)
      from = pressed.next
    }
    expect([...moved]).toEqual([])
  })
}

/** `next`: the first control that was not pressed; null if there is none. */
type Pressed = { next: number | null; moved: string[] }
