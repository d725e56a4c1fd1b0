import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriersInBothThemes,
  barriersInEveryLook,
  builtWebApp,
  intercept,
  openPage,
  story,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp })
const { url, db, user, commune, acteur, get, as } = world
const colleague = await as('admin')

async function openAs(options: { width?: number; dark?: boolean; expects?: RegExp } = {}) {
  const { id } = await user({ roles: ['admin'], nom: 'Ada Byron' })
  const session = await openSession(db, id, { hasShownFactor: true })
  return openPage({ url, session, expects: /status of (409|412|422)/, ...options })
}

const names = ['Odile Vauquelin', 'Yanis Morel', 'Zoé Lambert']
const elus = names.map((name, index) => {
  const [prenom = '', nom = ''] = name.split(' ')
  return { prenom, nom, fonction: index === 0 ? 'Maire' : 'Adjointe' }
})
const orderOf = async (id: string): Promise<string[]> =>
  (await get(`/communes/${id}/elus`)).body.data.map(
    ({ prenom, nom }: { prenom: string; nom: string }) => `${prenom} ${nom}`,
  )
const withElus = async (nom: string) => {
  const made = await commune({ nom, departement: '73' })
  await colleague.patch(`/admin/communes/${made.id}`, { elus })
  return made
}
const press = async (page: Page, role: 'button' | 'link' | 'tab', name: string | RegExp) => {
  await page.getByRole(role, { name }).focus()
  await page.keyboard.press('Enter')
}
/** Types into the fields of a form, one after the other. */
const fill = async (page: Page, texts: readonly string[]) => {
  for (const [index, text] of texts.entries()) {
    if (index > 0) await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
}

story('an administrator opens a mairie with one address, on a phone', async () => {
  const { id } = await commune({ nom: 'Le Bourget', departement: '73' })
  const page = await openAs({ width: 360 })
  await page.goto(`/backoffice/communes/${id}`)
  await page.getByRole('button', { name: 'Ouvrir une mairie' }).click()
  const dialog = page.getByRole('dialog')
  await untilFocused(dialog.getByLabel('Adresse e-mail'))
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.keyboard.type('secretariat@example.org')
  await page.keyboard.press('Enter')
  await page.getByText('Mairie du Bourget est ouverte. secretariat@example.org est invitée.').waitFor()
  await page.getByRole('link', { name: 'Ouvrir la fiche de Mairie du Bourget' }).waitFor()
  await page.getByRole('button', { name: 'Inviter quelqu’un de la mairie' }).waitFor()
  const { mairie_actor_id } = (await get(`/communes/${id}`)).body.data
  const invited = await db
    .selectFrom('team_invitations')
    .select(['email', 'role'])
    .where('acteur_id', '=', mairie_actor_id)
    .execute()
  expect(invited).toEqual([{ email: 'secretariat@example.org', role: 'owner' }])
  // An invited address is not invited again.
  await page.getByRole('button', { name: 'Inviter quelqu’un de la mairie' }).click()
  await dialog.getByLabel('Adresse e-mail').fill('secretariat@example.org')
  await page.keyboard.press('Enter')
  await dialog.getByText('Cette adresse est déjà invitée.').waitFor()
})

story('by keyboard alone: the gaps of a commune are filled', async () => {
  const mairie = await acteur({ type: 'mairie', nom: 'Mairie de Lacune', telephone: '04 65 71 00 00' })
  const { id } = await commune({ nom: 'Lacune', departement: '73', mairie_actor_id: mairie.id })
  const page = await openAs()
  await page.goto('/backoffice/communes?q=Lacune')
  await page.getByText('Sans élus (1)').waitFor()
  await page.getByRole('row', { name: 'Lacune' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Il manque 3 choses à cette fiche.').waitFor()

  const record = await page
    .getByRole('link', { name: 'Ouvrir la fiche de Mairie de Lacune' })
    .getAttribute('href')
  expect(record).toBe(`/backoffice/acteurs/${mairie.id}`)
  await press(page, 'link', 'Ajouter les élus')
  for (const [index, { prenom, nom, fonction }] of elus.slice(0, 2).entries()) {
    await press(page, 'button', 'Ajouter un élu')
    await untilFocused(page.getByRole('dialog').getByLabel('Prénom'))
    await fill(page, [prenom, nom, fonction])
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await orderOf(id)).length).toBe(index + 1)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await page.getByRole('row', { name: 'Yanis Morel' }).getByRole('button').first().focus()
  await page.keyboard.press('Enter')
  const focused = () => page.evaluate('document.activeElement?.getAttribute("aria-label") ?? ""')
  await expect.poll(focused).toMatch(/^Insérer/)
  for (let at = await focused(); !/avant Odile/.test(String(at)); at = await focused()) {
    await page.keyboard.press('ArrowUp')
    await expect.poll(focused).not.toBe(at)
  }
  await page.keyboard.press('Enter')
  await expect.poll(() => orderOf(id)).toEqual(['Yanis Morel', 'Odile Vauquelin'])
  // The list takes the focus a moment after a drop.
  await untilFocused(page.getByRole('row', { name: 'Yanis Morel' }))

  await press(page, 'link', 'Ajouter les collectes de déchets')
  await press(page, 'button', 'Ajouter une collecte')
  await untilFocused(page.getByRole('dialog').getByLabel('Nom de la collecte'))
  await fill(page, ['Bac jaune', 'emballages'])
  for (const day of ['Lundi', 'Jeudi']) {
    await page.getByRole('checkbox', { name: day }).focus()
    await page.keyboard.press('Space')
  }
  await page.getByText(/Prochaines dates\s: /).waitFor()
  // From the chosen day to the next week, and to its Monday.
  await page.getByRole('grid').locator('[tabindex="0"]').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  await expect.poll(focused).toMatch(/^lundi .*, collecte/)
  await press(page, 'button', 'Pas de collecte ce jour')
  await page.getByRole('button', { name: 'Rétablir' }).waitFor()
  await page.getByRole('textbox', { name: 'Secteur' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const [collecte] = (await get(`/communes/${id}/collectes`)).body.data
  expect(collecte).toMatchObject({ libelle: 'Bac jaune', jours: ['lundi', 'jeudi'] })
  expect(collecte.exceptions).toMatchObject([{ reportee_au: null }])
  expect(collecte.prochaines).not.toContain(collecte.exceptions[0].date)

  await press(page, 'link', 'Compléter les coordonnées')
  await page.getByText('Vient de : Mairie de Lacune').waitFor()
  await page.getByRole('textbox', { name: 'Adresse' }).focus()
  await fill(page, ['1 place du Marché', '', 'mairie@lacune.example', 'https://lacune.example'])
  await page.keyboard.press('Enter')
  // A complete record says nothing.
  await page.getByText(/^Il manque/).waitFor({ state: 'detached' })
  await page.getByText('Le public voit : 1 place du Marché').waitFor()
  const { data } = (await get(`/communes/${id}/infos`)).body
  expect(data).toMatchObject({ adresse: '1 place du Marché', telephone: '04 65 71 00 00' })
})

story('by keyboard alone: a commune is added, after a code that is taken', async () => {
  const taken = await commune({ nom: 'Présente', code_insee: '73901', departement: '73', region: '84' })
  const page = await openAs({ expects: /status of (409|422)/ })
  await page.goto('/backoffice/communes')
  await press(page, 'button', 'Ajouter une commune')
  const dialog = page.getByRole('dialog', { name: 'Ajouter une commune' })
  await dialog.getByLabel('Nom').focus()
  await fill(page, ['Neuville-sur-Lac', taken.code_insee, '73901, 73902'])
  await page.keyboard.press('Enter')
  await dialog.getByText('Ce code est déjà celui d’une commune').waitFor()
  await untilFocused(dialog.getByLabel('Code INSEE'))
  expect(await barriersInBothThemes(page)).toEqual([])
  // Typed text survives a reload.
  await page.reload()
  await press(page, 'button', 'Ajouter une commune')
  await dialog.getByLabel('Code INSEE').fill('73902')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Neuville-sur-Lac', level: 1 }).waitFor()
  const { body } = await get('/communes/neuville-sur-lac')
  expect(body.data).toMatchObject({
    ...{ code_insee: '73902', departement: '73', region: '84', codes_postaux: ['73901', '73902'] },
  })
  // No commune of this département tells its region.
  await page.goto('/backoffice/communes')
  await press(page, 'button', 'Ajouter une commune')
  await dialog.getByLabel('Nom').fill('Île Neuve')
  await dialog.getByLabel('Code INSEE').fill('98401')
  await page.keyboard.press('Enter')
  await untilFocused(dialog.getByLabel('Code de la région'))
  await page.keyboard.type('06')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Île Neuve', level: 1 }).waitFor()
})

story('an élu is dragged to another place, and one is removed and put back', async () => {
  const { id } = await withElus('Glisse')
  const page = await openAs({ expects: /ERR_FAILED/ })
  await page.goto(`/backoffice/communes/${id}?tab=elus`)
  const row = (name: string) => page.getByRole('row', { name })
  await row('Zoé Lambert').waitFor()
  await row('Zoé Lambert').dragTo(row('Odile Vauquelin'), { targetPosition: { x: 100, y: 3 } })
  await expect.poll(() => orderOf(id)).toEqual(['Zoé Lambert', 'Odile Vauquelin', 'Yanis Morel'])
  await page.getByRole('button', { name: 'Retirer Odile Vauquelin' }).click()
  await expect.poll(() => orderOf(id)).toEqual(['Zoé Lambert', 'Yanis Morel'])
  const saves = `**/admin/communes/${id}/deleted/*/restore`
  await intercept(page, saves, (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await page.getByRole('button', { name: 'Rétablir' }).click()
  await page.getByText('Le rétablissement a échoué').waitFor()
  await page.unroute(saves)
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await expect.poll(() => orderOf(id)).toEqual(['Zoé Lambert', 'Odile Vauquelin', 'Yanis Morel'])
})

story('a double click saves a new élu once', async () => {
  const { id } = await withElus('Deux clics')
  const page = await openAs()
  const saves: string[] = []
  page.on('request', (request) => request.method() === 'PATCH' && saves.push(request.url()))
  await page.goto(`/backoffice/communes/${id}?tab=elus`)
  await page.getByRole('button', { name: 'Ajouter un élu' }).click()
  await untilFocused(page.getByRole('dialog').getByLabel('Prénom'))
  await fill(page, ['Inès', 'Roux', 'Adjointe'])
  const save = page.getByRole('button', { name: 'Enregistrer' })
  // Both before the page shows that the first is under way, as on a slow machine.
  await save.evaluate((button: { click: () => void }) => [button, button].map((one) => one.click()))
  await page.getByRole('row', { name: 'Inès Roux' }).waitFor()
  expect(saves).toHaveLength(1)
})

story('a day is moved by a click, and a day without collection gets one', async () => {
  const { id } = await commune({ nom: 'Calendrier', departement: '73' })
  const collecte = {
    type_dechet: 'dechets_verts',
    libelle: 'Verre',
    mode: 'porte_a_porte',
    jours: ['mardi'],
  }
  await colleague.patch(`/admin/communes/${id}`, { collectes: [collecte] })
  const page = await openAs()
  await page.goto(`/backoffice/communes/${id}?tab=collectes`)
  await page.getByRole('button', { name: 'Modifier Verre' }).click()
  // A kind of waste is read and typed in words, and stored as its code.
  const kind = page.getByRole('dialog').getByLabel('Type de déchets')
  await expect.poll(() => kind.inputValue()).toBe('Déchets verts')
  await kind.fill('ordures ménagères')
  await page.getByRole('button', { name: 'Mois suivant' }).click()
  const grid = page.getByRole('grid')
  await grid
    .getByRole('button', { name: /^mardi .*, collecte$/ })
    .nth(1)
    .click()
  await page.getByRole('button', { name: 'Reporter', exact: true }).click()
  // This day may be a holiday, which its name tells too.
  await grid.getByRole('button', { name: /^mercredi .*, collecte reportée ici/ }).waitFor()
  await grid.getByRole('button', { name: /^mardi .*, collecte reportée$/ }).waitFor()
  // The first one may be a holiday.
  await grid
    .getByRole('button', { name: /^vendredi .*, pas de collecte$/ })
    .nth(2)
    .click()
  await page.getByRole('button', { name: 'Ajouter une collecte ce jour' }).click()
  await grid.getByRole('button', { name: /^vendredi .*, collecte$/ }).waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  // Typed text survives a reload.
  await page.reload()
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const [saved] = (await get(`/communes/${id}/collectes`)).body.data
  expect(saved.dates).toHaveLength(1)
  expect(saved.type_dechet).toBe('ordures_menageres')
  const [{ date, reportee_au }] = saved.exceptions
  expect(Date.parse(reportee_au) - Date.parse(date)).toBe(86_400_000)
})

story('by keyboard alone: a collection takes place on the second Wednesday of the month', async () => {
  const { id } = await commune({ nom: 'Mensuelle', departement: '73' })
  const collecte = { type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte' }
  const weekly = { ...collecte, jours: ['lundi', 'jeudi'], toutes_les_semaines: 2, a_partir_du: '2026-01-05' }
  await colleague.patch(`/admin/communes/${id}`, { collectes: [weekly] })
  const page = await openAs()
  await page.goto(`/backoffice/communes/${id}?tab=collectes`)
  await page.getByText('Le lundi et le jeudi, une semaine sur 2.').waitFor()
  await press(page, 'button', 'Modifier Verre')
  await page.getByRole('radio', { name: 'Par semaine' }).focus()
  await page.keyboard.press('ArrowRight')
  const choose = async (name: RegExp, option: string) => {
    await press(page, 'button', name)
    await page.keyboard.type(option)
    await untilFocused(page.getByRole('option', { name: option }))
    await page.keyboard.press('Enter')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
  }
  await choose(/Lequel dans le mois/, 'Le deuxième')
  await choose(/Jour de la semaine/, 'Mercredi')
  await page.getByText('Le 2e mercredi du mois.').waitFor()
  const preview = page.getByText(/^Prochaines dates\s: mer\. ([^,]+, mer\. ){4}/)
  // The second of a weekday lies between the 8th and the 14th.
  const countSeconds = async () => {
    const found = [...(await preview.innerText()).matchAll(/mer\. (\d+)/g)]
    return found.map(([, day]) => Number(day)).filter((day) => day >= 8 && day <= 14).length
  }
  await expect.poll(countSeconds).toBe(5)
  expect(await barriersInBothThemes(page)).toEqual([])
  await press(page, 'button', 'Enregistrer')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('Le 2e mercredi du mois.').waitFor()
  const [saved] = (await get(`/communes/${id}/collectes`)).body.data
  expect(saved).toMatchObject({ jours: ['mercredi'], rang: 2, toutes_les_semaines: 1 })
  // Back to weeks.
  await press(page, 'button', 'Modifier Verre')
  await page.getByRole('radio', { name: 'Une fois par mois' }).focus()
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('checkbox', { name: 'Mercredi', checked: true }).waitFor()
  await press(page, 'button', 'Enregistrer')
  await page.getByText('Chaque mercredi.').waitFor()
  expect((await get(`/communes/${id}/collectes`)).body.data[0].rang).toBeNull()
})

story('a change of a colleague is shown beside what was typed, and nothing is lost', async () => {
  const { id } = await withElus('Conflit')
  const page = await openAs()
  await page.goto(`/backoffice/communes/${id}`)
  await page.getByRole('textbox', { name: 'Habitants' }).fill('812')
  // Another part: no conflict.
  await colleague.patch(`/admin/communes/${id}`, {
    infos: [{ cle: 'email', libelle: 'E-mail', valeur: 'a@b.example' }],
  })
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('C’est enregistré.').waitFor()
  await page.getByRole('textbox', { name: 'Nom' }).fill('Conflit-sur-Loire')
  await colleague.patch(`/admin/communes/${id}`, { nom: 'Conflit-les-Bains', population: 900 })
  await page.getByText('Quelqu’un d’autre a changé cette fiche').waitFor()
  await page.getByText('Conflit-les-Bains').first().waitFor()
  await page.getByRole('button', { name: 'Garder la mienne' }).click()
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByRole('heading', { name: 'Conflit-sur-Loire' }).waitFor()
  const { body } = await colleague.get(`/admin/communes/${id}/full`)
  expect(body.data).toMatchObject({ nom: 'Conflit-sur-Loire', population: 900, slug: body.data.slug })
  expect(body.data.commune_infos).toHaveLength(1)
})

story(
  'a new order that crosses a change of a colleague is not lost, and overwrites nothing unseen',
  async () => {
    const { id } = await withElus('Croisée')
    const page = await openAs()
    await page.goto(`/backoffice/communes/${id}?tab=elus`)
    const row = (name: string) => page.getByRole('row', { name })
    await row('Zoé Lambert').waitFor()
    // Between what the page shows and what it sends, a colleague adds somebody.
    const addOne = async (route: Route) => {
      const { body } = await colleague.get(`/admin/communes/${id}/full`)
      const others = body.data.elus.map(({ ordre: _, ...elu }: { ordre: number }) => elu)
      const added = { prenom: 'Inès', nom: 'Diallo', fonction: 'Conseillère' }
      await colleague.patch(`/admin/communes/${id}`, { elus: [added, ...others] })
      await route.continue()
    }
    await intercept(page, `**/api/v1/admin/communes/${id}`, addOne, { times: 1 })
    await row('Zoé Lambert').dragTo(row('Odile Vauquelin'), { targetPosition: { x: 100, y: 3 } })
    await page.getByText('Quelqu’un d’autre a changé cette fiche').waitFor()
    expect(await orderOf(id)).toEqual(['Inès Diallo', ...names])
    await page.getByRole('button', { name: 'Garder la mienne' }).click()
    await expect
      .poll(() => orderOf(id))
      .toEqual(['Zoé Lambert', 'Odile Vauquelin', 'Yanis Morel', 'Inès Diallo'])
  },
)

story('the address keeps filters and place in the list, and an empty result is explained', async () => {
  for (let n = 0; n < 55; n++) await commune({ nom: `Page ${n}`, departement: '88' })
  const page = await openAs()
  await page.goto('/backoffice/communes?departement=88&incomplete=%5B%22mairie%22%5D')
  await page.getByText('1 à 50 sur 55').waitFor()
  await page.getByRole('button', { name: 'Suivant' }).click()
  await page.getByText('51 à 55 sur 55').waitFor()
  await page.reload()
  await page.getByText('51 à 55 sur 55').waitFor()
  await page.getByRole('button', { name: 'Précédent' }).click()
  await page.getByText('1 à 50 sur 55').waitFor()
  await page.getByRole('searchbox', { name: /Nom, code postal/ }).fill('nulle part')
  await page.getByText('Aucune commune ne correspond').waitFor()
})

story('communes pass the accessibility check in English, also on a phone, dark', async () => {
  const { id } = await withElus('Barrière')
  const collectes = [{ type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte', jours: ['vendredi'] }]
  await colleague.patch(`/admin/communes/${id}`, { collectes })
  const page = await openAs()
  await page.addInitScript(`localStorage.setItem('parvis.settings', '{"language":"en"}')`)
  const check = async (what: string) => expect(await barriersInEveryLook(page), what).toEqual([])
  await page.goto('/backoffice/communes')
  await page.getByRole('row').nth(1).waitFor()
  await check('list')
  await page.getByRole('button', { name: 'Add a commune' }).click()
  await page.getByRole('dialog').waitFor()
  await check('new commune')
  await page.keyboard.press('Escape')
  await page.goto(`/backoffice/communes/${id}`)
  for (const tab of [
    'Identity and mairie',
    'Élus',
    'Collectes',
    'Practical information',
    'Defibrillators',
    'Notes',
  ]) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('tabpanel', { name: tab }).waitFor()
    await check(tab)
  }
  await page.getByRole('tab', { name: 'Élus' }).click()
  await page.getByRole('button', { name: 'Add an élu' }).click()
  await page.getByRole('dialog').waitFor()
  await check('élu')
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Collectes' }).click()
  await page.getByRole('button', { name: 'Edit Verre' }).click()
  await page
    .getByRole('button', { name: /^Friday.*, collection$/ })
    .first()
    .waitFor()
  await check('collecte')
})
