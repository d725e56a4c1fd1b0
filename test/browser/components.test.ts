import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { daysLater } from '../../src/platform/time/days.ts'
import { todayInParis } from '../../src/platform/time/paris-time.ts'
import { openWorld } from '../support/world.ts'
import {
  barriersInEveryLook,
  builtComponents,
  dateIn,
  openPage,
  story,
  typeDate,
  untilFocused,
} from './browser.ts'

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

/** Pastes a text into the focused element. */
const paste = (page: Page, text: string) =>
  page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${JSON.stringify(text)})
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
  }`)

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

story('dates are typed as people write them: days by name, without a year, with separators', async () => {
  const page = await open({ width: 360, dark: false })
  const dates = async () =>
    (await page.getByTestId('dates').innerText()).split('·').map((each) => each.trim())
  const first = async () => (await dates())[0]
  const day = page.getByRole('group', { name: /^Premier jour/ })
  const moment = page.getByRole('group', { name: 'Publier le' })
  const inDays = (days: number) => daysLater(todayInParis(new Date()), days)
  const weekday = new Date(`${inDays(0)}T12:00:00Z`).getUTCDay()
  const saturday = inDays((6 - weekday + 7) % 7 || 7)
  await typeDate(day, 'sam')
  await expect.poll(first).toBe(saturday)
  await page.keyboard.type('edi')
  await page.keyboard.type('demain')
  await expect.poll(first).toBe(inDays(1))
  // The time stays.
  await typeDate(moment, 'aujourd’hui')
  await expect.poll(dates).toEqual([inDays(1), `${inDays(0)}T08:00`, ''])
  // The separators of a date and a time lead on; after a part that was left by its last digit, they do nothing.
  await page.getByRole('button', { name: 'Effacer : Premier jour' }).click()
  await typeDate(day, '3/1')
  await expect.poll(() => dateIn(day)).toMatch(/^03 01 aaaa$/)
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  const year = Number(inDays(0).slice(0, 4))
  const next = (end: string) => (`${year}-${end}` >= inDays(0) ? `${year}-${end}` : `${year + 1}-${end}`)
  await expect.poll(first).toBe(next('01-03'))
  await typeDate(day, '12/12/26')
  await page.keyboard.press('Tab')
  await expect.poll(first).toBe('2026-12-12')
  await typeDate(page.getByRole('group', { name: /^Heure de début/ }), '8h30')
  await expect.poll(async () => (await dates())[2]).toBe('08:30')
  for (const text of ['24/12/2027', '24 décembre 2027', '2027-12-24']) {
    await typeDate(day, '01012020')
    await expect.poll(first).toBe('2020-01-01')
    await day.getByRole('spinbutton').first().focus()
    await paste(page, text)
    await expect.poll(first).toBe('2027-12-24')
  }
  expect(await barriersInEveryLook(page)).toEqual([])
  await page.getByText('English', { exact: true }).click()
  // The parts of a date read alike in both languages; the name of its button does not.
  await page.getByRole('button', { name: 'Clear: Premier jour' }).waitFor()
  await typeDate(day, 'tomorrow')
  await expect.poll(first).toBe(inDays(1))
})

story('a time is typed or pasted as people write it, without minutes too', async () => {
  const page = await open({ width: 1280, dark: false })
  const hour = page.getByRole('group', { name: /^Heure de début/ })
  const time = async () => (await page.getByTestId('dates').innerText()).split('·')[2]?.trim()
  const first = hour.getByRole('spinbutton').first()
  await typeDate(hour, '10h')
  await page.keyboard.press('Tab')
  await expect.poll(time).toBe('10:00')
  await typeDate(hour, '9 h 15')
  await expect.poll(time).toBe('09:15')
  await first.focus()
  await paste(page, '16 h')
  await expect.poll(time).toBe('16:00')
  for (const part of await hour.getByRole('spinbutton').all()) {
    await part.focus()
    for (let digit = 0; digit < 2; digit++) await page.keyboard.press('Backspace')
  }
  await expect.poll(time).toBe('')
  await first.focus()
  await paste(page, '1645')
  await expect.poll(time).toBe('16:45')
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
