import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { copyPublication, insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { putTotp } from '../../src/modules/sign-in/sign-in.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriers,
  barriersInBothThemes,
  builtWebApp,
  choose,
  intercept,
  loseResponse,
  meanwhile,
  openPage,
  overflowsSideways,
  story,
  toggle,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp, env: { SECOND_FACTOR: 'admin' } })
const { url, db } = world
await world.runJobs()
const chambery = await world.commune({ nom: 'Chambéry' })
const ofChambery = { commune_id: chambery.id, valide: true }

/** An administrator's page; `confirmed`: as in the ten minutes after signing in. */
async function openAs({
  confirmed = true,
  ...options
}: {
  confirmed?: boolean
  width?: number
  expects?: RegExp
} = {}) {
  const { id } = await world.user({ roles: ['admin'], nom: 'Ada Byron' })
  const app = await putTotp(db, id)
  const session = await openSession(db, id, { hasShownFactor: true })
  if (!confirmed)
    await db.updateTable('sessions').set({ confirmed_until: null }).where('id', '=', session.id).execute()
  const page = await openPage({ url, session, expects: /status of (403|409|412|422|503)/, ...options })
  return { page, code: () => new TOTP({ secret: Secret.fromBase32(app) }).generate() }
}

const stored = (id: string) =>
  db.selectFrom('acteurs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

story('the list has filters in the address, saved views and more rows by cursor', async () => {
  await world.acteur({ nom: 'Boulangerie des Halles', type: 'commerce', ...ofChambery })
  await world.acteur({ nom: 'École des Monts', type: 'ecole', badge: 'Or', can_publish: true })
  for (let n = 0; n < 51; n++) await world.acteur({ nom: `Club ${n}`, valide: true })
  const { page } = await openAs()
  await page.goto('/backoffice/acteurs')
  const table = page.getByRole('grid', { name: 'Acteurs' })
  await expect.poll(() => table.getByRole('row').count()).toBe(51)
  await page.getByRole('button', { name: 'Afficher la suite' }).click()
  await expect.poll(() => table.getByRole('row').count()).toBe(54)
  await page.getByText('53 sur 53').waitFor()
  await page.getByRole('button', { name: /^Avec ou sans/ }).click()
  await page.getByRole('option', { name: 'Sans modération', exact: true }).click()
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await page.getByRole('searchbox', { name: 'Badge exact' }).fill('Or')
  await expect.poll(() => new URL(page.url()).search).toBe('?publishes=yes&badge=Or')
  await page.getByRole('button', { name: 'Enregistrer cette vue' }).click()
  await page.getByLabel('Nom de la vue').fill('En or')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'En or', exact: true }).waitFor()
  await page.goto('/backoffice/acteurs')
  await page.getByRole('button', { name: 'En or', exact: true }).click()
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await page.goto(`/backoffice/acteurs?commune=${chambery.id}`)
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('Chambéry')
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.goto('/backoffice/acteurs?q=introuvable')
  await page.getByText('Aucun acteur ne correspond').waitFor()
})

story('bulk decisions say what became of each acteur, and are undone', async () => {
  const [one, other, gone] = [
    await world.acteur({ nom: 'Lot Un' }),
    await world.acteur({ nom: 'Lot Deux' }),
    await world.acteur({ nom: 'Lot Trois' }),
  ]
  const { page } = await openAs()
  await page.goto('/backoffice/acteurs?q=lot')
  const table = page.getByRole('grid', { name: 'Acteurs' })
  await expect.poll(() => table.getByRole('row').count()).toBe(4)
  for (const name of ['Lot Un', 'Lot Deux'])
    await toggle(table.getByRole('row', { name }).getByRole('checkbox'))
  await page.getByText('2 sélectionnés').waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Valider', exact: true }).click()
  await page.getByText('2 acteurs ont changé').waitFor()
  expect([(await stored(one.id)).valide, (await stored(other.id)).valide]).toEqual([true, true])
  // Else the rows from before the decision would already look undone.
  await expect.poll(() => table.getByText('À valider').count()).toBe(1)
  // What a colleague has changed since is left alone.
  await meanwhile(page, '**/acteurs/bulk', () =>
    db.updateTable('acteurs').set({ badge: 'Or' }).where('id', '=', other.id).execute(),
  )
  await page.getByRole('button', { name: 'Annuler', exact: true }).click()
  await page.getByText('La modification d’un acteur est annulée').waitFor()
  expect([(await stored(one.id)).valide, (await stored(other.id)).valide]).toEqual([false, true])
  const outcome = page.getByRole('dialog', { name: 'Résultat par acteur' })
  await outcome.getByText('Changé entre-temps : à relire').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => table.getByText('À valider').count()).toBe(2)

  await toggle(table.getByRole('row', { name: 'Lot Un' }).getByRole('checkbox'))
  await toggle(table.getByRole('row', { name: 'Lot Trois' }).getByRole('checkbox'))
  await page.getByText('2 sélectionnés').waitFor()
  // A colleague changes one of them while the decision is sent.
  await intercept(page, '**/acteurs/bulk', async (route) => {
    await db.updateTable('acteurs').set({ deleted_at: new Date() }).where('id', '=', gone.id).execute()
    await route.continue()
  })
  await page.getByRole('button', { name: 'Badge…' }).click()
  await page.getByLabel('Texte du badge').fill('Partenaire')
  await page.keyboard.press('Enter')
  await outcome.getByText('Changé entre-temps : à relire').waitFor()
  await outcome.getByText('Changé', { exact: true }).waitFor()
  expect(await barriers(page)).toEqual([])
  expect((await stored(one.id)).badge).toBe('Partenaire')
})

story('several acteurs are deactivated by one ground and reason, kept until they are sent', async () => {
  const both = [await world.acteur({ nom: 'Faux Un' }), await world.acteur({ nom: 'Faux Deux' })]
  const { page } = await openAs()
  await page.goto('/backoffice/acteurs?q=faux')
  const table = page.getByRole('grid', { name: 'Acteurs' })
  for (const name of ['Faux Un', 'Faux Deux'])
    await toggle(table.getByRole('row', { name }).getByRole('checkbox'))
  const ask = async () => {
    await page.getByRole('button', { name: 'Autres', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Désactiver' }).click()
    return page.getByRole('dialog', { name: 'Désactiver 2 acteurs ?' })
  }
  const first = await ask()
  await first.getByLabel('Motif').fill('Ce ne sont pas eux.')
  expect(await barriers(page)).toEqual([])
  await first.getByRole('button', { name: 'Laisser actif' }).click()
  await first.waitFor({ state: 'detached' })
  const again = await ask()
  await expect.poll(() => again.getByLabel('Motif').inputValue()).toBe('Ce ne sont pas eux.')
  await again.getByRole('button', { name: 'Usurpation' }).click()
  await again.getByRole('button', { name: 'Désactiver' }).click()
  await page.getByText('2 acteurs ont changé').waitFor()
  for (const { id } of both) {
    const statements = db.selectFrom('statements').selectAll().where('record_id', '=', id)
    expect(await statements.execute()).toMatchObject([
      { restriction: 'deactivated', reason: 'Ce ne sont pas eux.', ground: { code: 'usurpation' } },
    ])
  }
  await page.getByRole('button', { name: 'Annuler', exact: true }).click()
  await expect.poll(async () => (await stored(both[0]?.id ?? '')).active).toBe(true)
})

story('a bulk decision is sent also while the list is read again after the one before', async () => {
  await world.acteur({ nom: 'Suite Un' })
  const other = await world.acteur({ nom: 'Suite Deux' })
  const { page } = await openAs()
  await page.goto('/backoffice/acteurs?q=suite')
  const table = page.getByRole('grid', { name: 'Acteurs' })
  await expect.poll(() => table.getByRole('row').count()).toBe(3)
  const reading = Promise.withResolvers<void>()
  await intercept(page, '**/api/v1/admin/acteurs?*', (route) => reading.promise.then(() => route.continue()))
  await toggle(table.getByRole('row', { name: 'Suite Un' }).getByRole('checkbox'))
  await page.getByRole('button', { name: 'Valider', exact: true }).click()
  await page.getByText('Un acteur a changé').waitFor()
  await toggle(table.getByRole('row', { name: 'Suite Deux' }).getByRole('checkbox'))
  await page.getByRole('button', { name: 'Badge…' }).click()
  await page.getByLabel('Texte du badge').fill('Partenaire')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await stored(other.id)).badge).toBe('Partenaire')
  reading.resolve()
  await table.getByText('Partenaire').waitFor()
})

story('by keyboard alone: an acteur is opened, edited, validated and noted', async () => {
  const club = await world.acteur({ nom: 'Pétanque du Lac', ...ofChambery, valide: false })
  for (let n = 1; n <= 6; n++)
    await insertPublication(world, { acteur_id: club.id, title: n > 5 ? 'Tournoi du lac' : `Concours ${n}` })
  const { page } = await openAs()
  await page.goto('/backoffice/acteurs?q=pétanque')
  await page.getByRole('row', { name: 'Pétanque du Lac' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Pétanque du Lac', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Tournoi du lac' }).waitFor()
  await page.getByText('6 écrites, 6 parues, 0 rejetée, 0 signalée').waitFor()
  await page.keyboard.press('e')
  const form = page.getByRole('dialog', { name: 'Modifier' })
  await untilFocused(form.getByLabel('Nom', { exact: true }))
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Pétanque du Grand Lac')
  await form.getByLabel('Adresse e-mail').focus()
  await page.keyboard.type('pas une adresse')
  await page.keyboard.press('Enter')
  await form
    .getByText(/adresse e-mail/)
    .last()
    .waitFor()
  await form.locator('[aria-invalid=true]:focus').waitFor()
  // Typed text survives a reload.
  await page.reload()
  await page.getByRole('heading', { name: 'Pétanque du Lac', level: 1 }).waitFor()
  await page.keyboard.press('e')
  await untilFocused(form.getByLabel('Nom', { exact: true }))
  await expect.poll(() => form.getByLabel('Nom', { exact: true }).inputValue()).toBe('Pétanque du Grand Lac')
  await form.getByLabel('Adresse e-mail').focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('contact@lac.example')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Pétanque du Grand Lac', level: 1 }).waitFor()
  expect(await stored(club.id)).toMatchObject({ email: 'contact@lac.example', commune_id: chambery.id })

  const decision = (name: string, checked: boolean) => page.getByRole('switch', { name, checked })
  await decision('Validé', false).focus()
  await page.keyboard.press('Space')
  await page.getByText('L’acteur est validé').waitFor()
  await expect.poll(async () => (await stored(club.id)).valide).toBe(true)
  await page.getByText('Sa page est publique, et il peut publier.').waitFor()
  await decision('Actif', true).focus()
  await page.keyboard.press('Space')
  const why = page.getByRole('dialog', { name: 'Désactiver cet acteur ?' })
  await why.getByRole('button', { name: 'Publicité' }).click()
  await why.getByLabel('Motif').fill('Le club a vendu sa page.')
  expect((await stored(club.id)).active).toBe(true)
  await page.keyboard.press('Control+Enter')
  await page.getByText('L’acteur et ses publications sont masqués').waitFor()
  expect(
    await db.selectFrom('statements').selectAll().where('record_id', '=', club.id).execute(),
  ).toMatchObject([{ reason: 'Le club a vendu sa page.', ground: { label: 'Publicité' } }])
  await page.getByRole('button', { name: 'Annuler', exact: true }).first().focus()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await stored(club.id)).active).toBe(true)
  await decision('Actif', true).waitFor()
  await page.getByRole('heading', { level: 1 }).focus()
  await page.keyboard.press('n')
  await page.keyboard.type('Appelé le président.')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('listitem').getByText('Appelé le président.').waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.getByRole('link', { name: 'Voir ses 6 publications' }).focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('list', { name: 'Filtres' })
    .getByRole('button', { name: 'Acteur : Pétanque du Grand Lac' })
    .waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(7)
})

story('a decision that failed leaves its switch as it was, says why, and can be tried again', async () => {
  const { id } = await world.acteur({ nom: 'Atelier vélo', valide: false })
  const { page } = await openAs({ expects: /ERR_FAILED/ })
  await page.goto(`/backoffice/acteurs/${id}`)
  await intercept(page, `**/acteurs/${id}/validate`, (route) => route.abort(), { times: 1 })
  const validated = (checked: boolean) => page.getByRole('switch', { name: 'Validé', checked })
  await validated(false).focus()
  await page.keyboard.press('Space')
  await page.getByRole('alert').waitFor()
  await validated(false).waitFor()
  expect((await stored(id)).valide).toBe(false)
  await validated(false).focus()
  await page.keyboard.press('Space')
  await page.getByText('L’acteur est validé').waitFor()
  await validated(true).waitFor()
  expect((await stored(id)).valide).toBe(true)
  // Screen readers read the meaning of the switch with it.
  const meaning = await validated(true).getAttribute('aria-describedby')
  expect(await page.locator(`[id="${meaning}"]`).textContent()).toBe(
    'Sa page est publique, et il peut publier.',
  )
})

story('members are added, changed and removed; an acteur is deleted and restored', async () => {
  const club = await world.acteur({ nom: 'Club de marche', valide: true })
  const person = await world.user({ nom: 'Camille Petit' })
  const rights = async () =>
    (await db.selectFrom('actor_users').selectAll().where('acteur_id', '=', club.id).execute()).map(
      ({ user_id, role, permissions }) => ({ user_id, role, permissions }),
    )
  const { page, code } = await openAs({ confirmed: false })
  await page.goto(`/backoffice/acteurs/${club.id}`)
  await page.getByText('Personne ne tient cette page').waitFor()
  await page.getByRole('button', { name: 'Ajouter un membre' }).click()
  const account = page.getByRole('combobox', { name: 'Compte' })
  await choose(account, 'camille')
  expect(await barriers(page)).toEqual([])
  // An empty field means no choice.
  await account.fill('')
  const save = page.getByRole('button', { name: 'Enregistrer', includeHidden: true })
  await expect.poll(() => save.isDisabled()).toBe(true)
  await choose(account, 'camille')
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Confirmez que c’est bien vous' })
  await untilFocused(confirmation.getByLabel('Code de l’application'))
  expect(await rights()).toEqual([])
  await page.keyboard.type(code())
  await page.getByRole('link', { name: 'Camille Petit' }).waitFor()
  expect(await rights()).toEqual([
    { user_id: person.id, role: 'editor', permissions: ['manage_publications'] },
  ])
  // Who is a member is not offered again: that would take rights away.
  await world.user({ nom: 'Camille Roche' })
  await page.getByRole('button', { name: 'Ajouter un membre' }).click()
  await choose(account, 'camille')
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByRole('link', { name: 'Camille Roche' }).waitFor()
  await page.getByRole('button', { name: 'Retirer Camille Roche' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer' }).click()
  await page.getByRole('link', { name: 'Camille Roche' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Modifier les droits de Camille Petit' }).click()
  await toggle(page.getByRole('radio', { name: 'Responsable' }))
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('Peut tout faire', { exact: true }).waitFor()
  expect(await rights()).toMatchObject([{ role: 'owner' }])
  await page.getByRole('button', { name: 'Retirer Camille Petit' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer' }).click()
  await page.getByText('Personne ne tient cette page').waitFor()
  expect(await rights()).toEqual([])

  await page.getByRole('button', { name: 'Supprimer…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await page.getByText('L’acteur est supprimé').waitFor()
  await page.getByRole('button', { name: 'Rétablir' }).click()
  await page.getByText('L’acteur est rétabli').waitFor()
  expect((await stored(club.id)).deleted_at).toBeNull()
})

story('a field that a colleague changed while another one was typed keeps the new value', async () => {
  const club = await world.acteur({ nom: 'Harmonie de Bissy', telephone: '04 79 00 00 01', valide: true })
  const { page } = await openAs()
  await page.goto(`/backoffice/acteurs/${club.id}`)
  await page
    .getByRole('button', { name: /^Modifier/ })
    .first()
    .click()
  const form = page.getByRole('dialog', { name: 'Modifier' })
  await form.getByLabel('Description').fill('Répétition le mardi.')
  await db.updateTable('acteurs').set({ telephone: '04 79 00 00 02' }).where('id', '=', club.id).execute()
  await form.getByLabel('Description').press('Tab')
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await form.getByText('Quelqu’un d’autre a changé cette fiche').waitFor()
  await form.getByText('Téléphone : 04 79 00 00 02').first().waitFor()
  expect(await barriers(page)).toEqual([])
  await form.getByRole('button', { name: 'Garder la mienne' }).click()
  await untilFocused(form.getByLabel('Nom', { exact: true }))
  await expect.poll(() => form.getByLabel('Téléphone').inputValue()).toBe('04 79 00 00 02')
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await form.waitFor({ state: 'detached' })
  expect(await stored(club.id)).toMatchObject({
    description: 'Répétition le mardi.',
    telephone: '04 79 00 00 02',
  })
})

story('an acteur is added, and not twice when the answer was lost', async () => {
  const { page } = await openAs({ expects: /ERR_FAILED/ })
  await page.goto('/backoffice/account')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await untilFocused(page.getByRole('dialog').locator('input'))
  await page.keyboard.type('ajouter acteur')
  const action = page.getByRole('menuitem', { name: 'Ajouter un acteur' })
  await action.and(page.locator('[data-focused]')).waitFor()
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Ajouter un acteur' })
  await form.waitFor()
  // A reload shows the list alone.
  await page.reload()
  await page.getByRole('grid', { name: 'Acteurs' }).waitFor()
  await expect.poll(() => form.count()).toBe(0)
  await page.getByRole('button', { name: 'Ajouter un acteur' }).click()
  await form.getByLabel('Nom', { exact: true }).fill('Fanfare de Bissy')
  await form.getByRole('button', { name: 'Ouvrir : Lundi' }).click()
  await form.getByRole('button', { name: 'Comme la veille : Mardi' }).click()
  await loseResponse(page, '**/api/v1/admin/acteurs')
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await form.getByText('Le service n’a pas répondu').waitFor()
  const made = () =>
    db.selectFrom('acteurs').select('horaires').where('nom', '=', 'Fanfare de Bissy').execute()
  expect(await made()).toEqual([{ horaires: 'Mo,Tu 09:00-12:00' }])
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByRole('heading', { name: 'Fanfare de Bissy', level: 1 }).waitFor()
  await page.getByText('Lundi – Mardi : 09:00 – 12:00').waitFor()
  expect(await made()).toHaveLength(1)
})

story('an acteur is merged into another, by keyboard alone and after a confirmation', async () => {
  const copy = await world.acteur({ nom: 'Jardin partagé bis', ...ofChambery })
  const target = await world.acteur({ nom: 'Jardin partagé', ...ofChambery })
  await world.acteur({ nom: 'Jardin des écoles', type: 'ecole' })
  const { id } = await insertPublication(world, { acteur_id: copy.id, title: 'Troc de graines' })
  const { page, code } = await openAs({ confirmed: false })
  await page.goto(`/backoffice/acteurs/${copy.id}`)
  await page.getByRole('button', { name: 'Fusionner' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Fusionner Jardin partagé bis dans un autre acteur' })
  await dialog.getByText('Personne ne peut annuler une fusion').waitFor()
  await dialog.getByRole('combobox').focus()
  await page.keyboard.type('jardin')
  await page.getByRole('option', { name: /^Jardin partagé/ }).waitFor()
  // Neither itself nor another type is offered.
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await barriers(page)).toEqual([])
  // Enabled once the chosen acteur is loaded.
  await dialog.getByRole('button', { name: 'Continuer', disabled: false }).focus()
  await page.keyboard.press('Enter')
  const sure = page.getByRole('alertdialog', { name: 'Fusionner Jardin partagé bis dans Jardin partagé ?' })
  await untilFocused(sure.getByRole('button', { name: 'Annuler' }))
  await sure.getByRole('button', { name: 'Fusionner définitivement' }).focus()
  await page.keyboard.press('Enter')
  const confirmation = page.getByRole('dialog', { name: 'Confirmez que c’est bien vous' })
  await untilFocused(confirmation.getByLabel('Code de l’application'))
  await page.keyboard.type(code())
  await page.getByRole('heading', { name: 'Jardin partagé', level: 1, exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/backoffice/acteurs/${target.id}`)
  const merged = page.getByRole('list', { name: 'Acteurs fusionnés dans celui-ci' })
  await merged.getByText('Jardin partagé bis').waitFor()
  await merged.getByText('Terminé').waitFor()
  await page.getByRole('link', { name: 'Troc de graines' }).waitFor()
  const moved = await db
    .selectFrom('publications')
    .select('acteur_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(moved.acteur_id).toBe(target.id)
})

story('a merge that was confirmed offline fails at once, and is not carried out later', async () => {
  const copy = await world.acteur({ nom: 'Chorale de Maché bis', ...ofChambery })
  await world.acteur({ nom: 'Chorale de Maché', ...ofChambery })
  const { page } = await openAs({ expects: /ERR_INTERNET_DISCONNECTED/ })
  await page.goto(`/backoffice/acteurs/${copy.id}`)
  await page.getByRole('button', { name: 'Fusionner' }).click()
  const dialog = page.getByRole('dialog', { name: 'Fusionner Chorale de Maché bis dans un autre acteur' })
  await choose(dialog.getByRole('combobox'), 'chorale')
  // Enabled once the chosen acteur is loaded.
  await dialog.getByRole('button', { name: 'Continuer' }).click()
  await page.getByRole('button', { name: 'Fusionner définitivement' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Fusionner définitivement' }).click()
  await dialog.getByText('Le service n’a pas répondu').waitFor()
  await page.keyboard.press('Escape')
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  const isReloaded = page.waitForResponse(`**/api/v1/admin/acteurs/${copy.id}`)
  await page.context().setOffline(false)
  await isReloaded
  expect(sent.filter((address) => address.includes('merge'))).toEqual([])
  expect(await stored(copy.id)).toMatchObject({ merged_into: null, deleted_at: null })
})

story('two acteurs of the same name are compared, and the right one stays', async () => {
  const first = await world.acteur({ nom: 'Cyclo-club de l’Albanne', adresse: '1 rue Basse', ...ofChambery })
  const second = await world.acteur({ nom: 'Cyclo-club de l’Albanne', adresse: '9 rue Haute', ...ofChambery })
  const { page } = await openAs()
  await page.goto('/backoffice/acteurs?q=albanne&sort=created_at_asc')
  const rows = page.getByRole('row', { name: 'Cyclo-club' })
  await expect.poll(() => rows.count()).toBe(2)
  for (const n of [0, 1]) await toggle(rows.nth(n).getByRole('checkbox'))
  await page.getByRole('button', { name: 'Fusionner…' }).click()
  const dialog = page.getByRole('dialog', { name: 'dans un autre acteur' })
  const addresses = dialog.getByRole('row', { name: 'Adresse 1 rue Basse 9 rue Haute' })
  const swapped = dialog.getByRole('row', { name: 'Adresse 9 rue Haute 1 rue Basse' })
  await addresses.or(swapped).waitFor()
  // Whichever is on the left: the one at 9 rue Haute disappears.
  if (await addresses.isVisible()) await dialog.getByRole('button', { name: 'Garder plutôt' }).click()
  await swapped.waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Continuer' }).click()
  await page.getByRole('button', { name: 'Fusionner définitivement' }).click()
  await page.getByRole('list', { name: 'Acteurs fusionnés dans celui-ci' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/backoffice/acteurs/${first.id}`)
  expect(await stored(second.id)).toMatchObject({ merged_into: first.id })
})

story('acteurs on a phone, in English: nothing is cut off and nothing is a barrier', async () => {
  const club = await world.acteur({
    nom: 'Association des amis du vieux moulin de Saint-Jean-de-la-Porte',
    badge: 'Partenaire',
    can_publish: true,
    ...ofChambery,
  })
  await world.user({ nom: 'Zoé Lambert', memberships: [{ acteur: club, role: 'owner' }] })
  const { page } = await openAs({ width: 360 })
  await page.addInitScript(`localStorage.setItem('parvis.settings', '{"language":"en"}')`)
  // The stories above look at the list, the record and the merge in both themes.
  const check = async (what: string, look = barriers) => {
    expect(await look(page), what).toEqual([])
    expect(await overflowsSideways(page), what).toEqual([])
  }
  await page.goto('/backoffice/acteurs?q=amis')
  await page.getByRole('link', { name: /^Association des amis/ }).waitFor()
  await check('list')
  const type = page.getByRole('button', { name: /Type/ })
  expect(await type.count()).toBe(0)
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await type.click()
  await page.getByRole('option', { name: 'Association' }).click()
  await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
  await check('filters', barriersInBothThemes)
  await page.getByRole('link', { name: /^Association des amis/ }).click()
  await page.getByRole('link', { name: 'Zoé Lambert' }).waitFor()
  await page.getByText('Publishes without moderation').first().waitFor()
  await check('record')
  await page.getByRole('button', { name: /^Edit(?! the)/ }).click()
  await page.getByLabel('Website').waitFor()
  await check('form', barriersInBothThemes)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Merge' }).click()
  await page.getByText('Nobody can undo a merge').waitFor()
  await check('merge')
})

story('moderators are not shown the acteurs', async () => {
  const { id } = await world.user({ roles: ['moderator'] })
  const page = await openPage({ url, session: await openSession(db, id) })
  await page.goto('/backoffice/queue')
  await page.getByRole('navigation').getByRole('link').first().waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Acteurs' }).count()).toBe(0)
})

story('the page shows how far lists have followed a decision about many publications', async () => {
  const { id } = await world.acteur({ nom: 'Grande pétanque', ...ofChambery })
  const publication = await insertPublication(world, { acteur_id: id })
  await copyPublication(world, publication.id, 1_199)
  // Without the job that the decision would have enqueued.
  await db.updateTable('acteurs').set({ active: false }).where('id', '=', id).execute()
  const { page } = await openAs()
  await page.goto(`/backoffice/acteurs/${id}`)
  await page.getByText(/500 publications sur 1\s200/u).waitFor()
  expect(await barriers(page)).toEqual([])
  await db.deleteFrom('listing_refreshes').execute()
  await page.getByRole('progressbar', { name: 'Mise à jour des listes' }).waitFor({ state: 'detached' })
})

story('all acteurs that match the filter are selected over pages, decided, and undone at once', async () => {
  const names = Array.from({ length: 104 }, (_, number) => `Essaim ${number}`)
  for (const nom of names) await world.acteur({ nom, commune_id: chambery.id, valide: false })
  const countOf = async (valide: boolean) => {
    const rows = db.selectFrom('acteurs').select('id').where('nom', 'like', 'Essaim %')
    return (await rows.where('valide', '=', valide).execute()).length
  }
  const { page } = await openAs({ expects: /status of 500/ })
  await page.goto('/backoffice/acteurs?q=Essaim')
  const table = page.getByRole('grid', { name: 'Acteurs' })
  await toggle(table.getByRole('row').nth(1).getByRole('checkbox'))
  await page.getByRole('button', { name: 'Tout sélectionner (104)' }).click()
  await page.getByText('104 sélectionnés').waitFor()
  // A failure in the middle leaves the rest selected.
  let calls = 0
  await intercept(page, '**/acteurs/bulk', (route) =>
    ++calls === 2 ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  )
  const validate = page.getByRole('button', { name: 'Valider', exact: true })
  await validate.click()
  await page.getByText('100 acteurs ont changé').waitFor()
  await page.getByText('4 sélectionnés').waitFor()
  expect(await countOf(true)).toBe(100)
  await page.getByRole('button', { name: 'Annuler', exact: true }).click()
  await page.getByText('La modification de 100 acteurs est annulée').waitFor()
  expect(await countOf(true)).toBe(0)
})
