import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { expect } from 'vitest'
import { openSession } from '../support/sessions.ts'
import { openWorld, run } from '../support/world.ts'
import { barriersInBothThemes, builtWebApp, openPage, overflowsSideways, story } from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp })
const { url, db, user, database } = world

await run(
  database.owner,
  `insert into publications (id, slug, title, body, duplicate_key, moderation_status)
   select ('01890000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'p-' || n, 'Fête ' || n, repeat('Texte ', 500),
     's:' || md5(n::text), case when n <= 3 then 'pending' else 'rejected' end
   from generate_series(1, 2400) n`,
)
const { id, token } = await user({ roles: ['admin'], nom: 'Ada Byron' })
const open = async (options: Partial<Parameters<typeof openPage>[0]> = {}) =>
  openPage({ url, session: await openSession(db, id), expects: /status of 503/, ...options })

story('by keyboard alone: downloads the rows that the filters of a list leave', async () => {
  const page = await open()
  await page.goto('/backoffice/publications?status=pending&page=2')
  const button = page.getByRole('button', { name: 'Exporter 3 lignes' })
  await button.focus()
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  await page.getByText('Le fichier de 3 lignes se télécharge').waitFor()
  expect(download.suggestedFilename()).toMatch(/^publications-\d{4}-\d\d-\d\d\.csv$/)
  const text = readFileSync(await download.path(), 'utf8')
  const rows: { title: string }[] = parse(text, { columns: true, delimiter: ';', bom: true })
  expect(rows.map(({ title }) => title).sort()).toEqual(['Fête 1', 'Fête 2', 'Fête 3'])
  // The screen stays, with its filters.
  expect(new URL(page.url()).search).toContain('status=pending')
  expect(await barriersInBothThemes(page)).toEqual([])
})

story.each([
  ['queue', 'publications', 3],
  ['claims', 'claims', 0],
  ['alertes', 'alertes', 0],
  ['users', 'users', 1],
] as const)('the screen %s has the button, also at 360 px and in English', async (path, list, count) => {
  const page = await open({ width: 360 })
  await page.addInitScript(`localStorage.setItem('parvis.settings', '{"language":"en"}')`)
  await page.goto(`/backoffice/${path}`)
  const button = page.getByRole('button', { name: /^Export/ })
  await button.waitFor()
  expect(await overflowsSideways(page)).toEqual([])
  if (count === 0) {
    await expect.poll(() => button.isDisabled()).toBe(true)
    return
  }
  await page.getByRole('button', { name: `Export ${count} row` }).waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  expect(download.suggestedFilename()).toContain(`${list}-`)
  expect(readFileSync(await download.path(), 'utf8').split('\r\n')[0]).toMatch(/^id,/)
})

story('says in words why a list is not exported, and exports it when asked again', async () => {
  const page = await open()
  await page.goto('/backoffice/publications?status=pending')
  const button = page.getByRole('button', { name: 'Exporter 3 lignes' })
  await button.waitFor()
  const headers = { accept: 'text/csv', 'x-app-source': 'backoffice', authorization: `Bearer ${token}` }
  // Files that nobody reads occupy both slots.
  const stalled = await Promise.all([1, 2].map(() => fetch(`${url}/api/v1/admin/publications`, { headers })))
  await button.click()
  await page.getByText('La liste n’a pas été exportée').waitFor()
  await page.getByText('indisponible : réessayez bientôt').waitFor()
  for (const { body } of stalled) await body?.cancel()
  await expect
    .poll(async () => {
      const answer = await fetch(`${url}/api/v1/admin/publications?moderation_status=pending`, { headers })
      await answer.text()
      return answer.status
    })
    .toBe(200)
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  expect(await download.failure()).toBeNull()
})
