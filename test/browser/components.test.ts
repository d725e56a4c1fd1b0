import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openWorld } from '../support/world.ts'
import { barriersInEveryLook, builtComponents, openPage, story, typeDate, untilFocused } from './browser.ts'

const { url } = await openWorld({ webApp: await builtComponents() })

async function open(options: { width: number; dark: boolean }) {
  const page = await openPage({ url, ...options })
  await page.goto('/backoffice/')
  await page.getByRole('heading', { name: 'Composants' }).waitFor()
  return page
}

const backgroundOf = (page: Page, name: string) =>
  page.evaluate(`getComputedStyle(
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent.startsWith('${name}')),
  ).backgroundColor`)

story('all components are accessible, open or closed, also on a phone, dark', async () => {
  const page = await open({ width: 1280, dark: false })
  expect(await barriersInEveryLook(page)).toEqual([])
  for (const name of ['Dialogue', 'Confirmation', 'Tiroir']) {
    await page.getByRole('button', { name, exact: true }).click()
    await page.locator('[data-modal]').waitFor()
    expect(await barriersInEveryLook(page), name).toEqual([])
    await page.keyboard.press('Escape')
    await page.locator('[data-modal]').waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'Notification d’erreur' }).click()
  await page.getByRole('button', { name: 'Notification', exact: true }).click()
  await page.getByText('Publication publiée.').waitFor()
  expect(await barriersInEveryLook(page), 'toasts').toEqual([])
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Mon compte' }).waitFor()
  expect(await barriersInEveryLook(page), 'menu').toEqual([])
})

story('component styles override the reset, and the keyboard focus is visible', async () => {
  const page = await open({ width: 1280, dark: false })
  expect(await backgroundOf(page, 'Publier')).toBe('rgb(29, 91, 184)')
  expect(await backgroundOf(page, 'Supprimer définitivement')).toBe('rgb(180, 35, 24)')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const outline = 'getComputedStyle(document.activeElement).outlineStyle'
  await expect.poll(() => page.evaluate(outline)).toBe('solid')
})

story('a dialog traps the focus and restores it on close', async () => {
  const page = await open({ width: 1280, dark: false })
  const opener = page.getByRole('button', { name: 'Confirmation', exact: true })
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog', { name: 'Supprimer ce compte ?' })
  await dialog.waitFor()
  const focused = () => page.evaluate('document.activeElement.textContent') as Promise<string>
  // The harmless button has the focus first, and Tab cycles.
  await expect.poll(focused).toBe('Annuler')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Supprimer le compte')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Annuler')
  await page.keyboard.press('Escape')
  await expect.poll(focused).toBe('Confirmation')
})

story('a table is sorted by its header and an option selected, by keyboard alone', async () => {
  const page = await open({ width: 1280, dark: false })
  await page.getByRole('button', { name: /Trier par/ }).focus()
  await page.keyboard.press('Enter')
  await untilFocused(page.getByRole('option', { selected: true }))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /Les plus récentes d’abord/ }).waitFor()
  await page.getByRole('tab', { name: 'Communes' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByText('73065').waitFor()
})

story('dates are typed, chosen and cleared in the language of the application', async () => {
  const page = await open({ width: 1280, dark: false })
  const typed = page.getByTestId('dates')
  const day = page.getByRole('group', { name: /^Premier jour/ })
  await expect.poll(() => day.innerText()).toMatch(/^jj\s*\/\s*mm\s*\/\s*aaaa/)
  await typeDate(day, '03102026')
  await expect.poll(() => typed.innerText()).toBe('2026-10-03 · 2026-10-01T08:00 ·')
  await typeDate(page.getByRole('group', { name: 'Publier le' }), '041020260930')
  await typeDate(page.getByRole('group', { name: /^Heure de début/ }), '1845')
  await expect.poll(() => typed.innerText()).toBe('2026-10-03 · 2026-10-04T09:30 · 18:45')
  // The next day, from the calendar.
  await day.getByRole('button', { name: /Calendrier/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('application', { name: /octobre 2026/ }).waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect.poll(() => typed.innerText()).toMatch(/^2026-10-04 /)
  await page.getByRole('button', { name: 'Effacer : Premier jour' }).click()
  await expect.poll(() => typed.innerText()).toMatch(/^· 2026/)
  await page.getByText('English', { exact: true }).click()
  await expect.poll(() => day.innerText()).toMatch(/^dd\s*\/\s*mm\s*\/\s*yyyy/)
})
