import { expect } from 'vitest'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import { barriersInEveryLook, builtWebApp, openPage, overflowsSideways, story } from './browser.ts'

/** Lists of a commune that a secretary has already: élus in a table, dates in a calendar, the same bins in another secteur. */

const webApp = await builtWebApp()
const world = await openWorld({ webApp, env: { SECOND_FACTOR: 'none' } })
const { url, db } = world

async function openCommune(name: string, collectes: object[] = []) {
  const hall = await world.acteur({ type: 'mairie', nom: `Mairie de ${name}`, valide: true })
  const town = await world.commune({ nom: name, mairie_actor_id: hall.id })
  const { id, token } = await world.user({ memberships: [{ acteur: hall, role: 'owner' }] })
  const secretary = world.client({ source: 'mairie', token })
  if (collectes.length > 0)
    expect((await secretary.patch(`/mairie/communes/${town.id}`, { collectes })).status).toBe(200)
  const session = await openSession(db, id)
  const page = await openPage({ url, session, width: 390, expects: /status of 422/ })
  const stored = async () => (await secretary.get(`/mairie/communes/${town.id}`)).body.data
  return { page, stored, space: `/backoffice/espace/${hall.id}/commune` }
}

story('élus are pasted as a table; what was not understood is said, and nobody is listed twice', async () => {
  const { page, stored, space } = await openCommune('Aval')
  await page.goto(`${space}?tab=elus`)
  await page.getByRole('button', { name: 'Coller une liste' }).click()
  const dialog = page.getByRole('dialog', { name: 'Coller une liste' })
  const text = dialog.getByRole('textbox', { name: 'Liste ou tableau' })
  await text.fill('Nom\tPrénom\tFonction\nVAUQUELIN\tOdile\tMaire\nLE GALL\tYves\t1er adjoint\nPetit\tLéo\t')
  await dialog.getByText('Une ligne n’a pas été comprise').waitFor()
  await dialog.getByText('Yves Le Gall').waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
  if (process.env.PARVIS_PICTURES)
    await page.screenshot({ path: `${process.env.PARVIS_PICTURES}/390-elus.png` })
  await dialog.getByRole('button', { name: 'Ajouter 2 élus' }).click()
  await page.getByText('2 élus ajoutés').waitFor()
  const fields = (await stored()).elus.map(({ prenom, nom, fonction }: Record<string, string>) =>
    [prenom, nom, fonction].join(' '),
  )
  expect(fields).toEqual(['Odile Vauquelin Maire', 'Yves Le Gall 1er adjoint'])
  await page.getByRole('button', { name: 'Coller une liste' }).click()
  await text.fill(`Anne Roy, ${'x'.repeat(201)}`)
  await dialog.getByRole('button', { name: 'Ajouter 1 élu' }).click()
  await dialog.getByText('Une ligne est à corriger').waitFor()
  await dialog.getByText(/^Anne Roy, x+ — /).waitFor()
  await text.fill('Odile Vauquelin, maire')
  await dialog.getByText('déjà dans la liste').waitFor()
  expect(await dialog.getByRole('button', { name: 'Ajouter', exact: true }).isDisabled()).toBe(true)
})

story(
  'a collection: holidays are decided in one list, it is copied to a secteur, and dates are pasted',
  async () => {
    const days = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche']
    const { page, stored, space } = await openCommune('Amont', [
      {
        type_dechet: 'emballages',
        libelle: 'Bac jaune',
        mode: 'porte_a_porte',
        secteur: 'Nord',
        jours: days,
      },
    ])
    await page.goto(`${space}?tab=collectes`)
    await page.getByRole('button', { name: 'Modifier Bac jaune' }).click()
    const dialog = page.getByRole('dialog')
    const holidays = dialog.getByRole('region', { name: 'Jours fériés des douze prochains mois' })
    await holidays.getByText(/^11 jours fériés tombent/).waitFor()
    await holidays.getByRole('button', { name: /^Supprimée : .* 1er mai/ }).click()
    await holidays.getByText(/^10 jours fériés tombent/).waitFor()
    await holidays.getByRole('button', { name: 'Toutes le jour ouvrable suivant' }).click()
    await holidays.getByText('Tous sont décidés.').waitFor()
    await holidays
      .getByText('collecte le samedi 26 décembre')
      .or(holidays.getByText(/collecte le .* 26 décembre/))
      .first()
      .waitFor()
    expect(await barriersInEveryLook(page)).toEqual([])
    expect(await overflowsSideways(page)).toEqual([])
    if (process.env.PARVIS_PICTURES)
      await page.screenshot({ path: `${process.env.PARVIS_PICTURES}/390-holidays.png` })
    await dialog.getByRole('button', { name: 'Enregistrer' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { exceptions } = (await stored()).collectes[0]
    expect(exceptions).toHaveLength(11)
    expect(exceptions.filter((one: { reportee_au: string | null }) => one.reportee_au === null)).toHaveLength(
      1,
    )

    await page.getByRole('button', { name: 'Copier Bac jaune pour un autre secteur' }).click()
    await dialog.getByLabel('Secteur').fill('Sud')
    await dialog.getByLabel('Coller des dates').fill('Passages : 12/01/2031 et 2 février 2031.')
    await dialog.getByRole('button', { name: 'Ajouter 2 dates' }).click()
    await dialog.getByRole('button', { name: 'Enregistrer' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { collectes } = await stored()
    expect(
      collectes.map(({ secteur, dates }: { secteur: string; dates: string[] }) => [secteur, dates]),
    ).toEqual([
      ['Nord', []],
      ['Sud', ['2031-01-12', '2031-02-02']],
    ])
    expect(collectes[1].exceptions).toEqual(exceptions)
  },
)

story(
  'streets of a secteur are pasted; a resident without a script finds her days by her address',
  async () => {
    const bin = { type_dechet: 'verre', libelle: 'Bac', mode: 'porte_a_porte', jours: ['mardi'] }
    const { page, stored, space } = await openCommune('Ruelle', [
      { ...bin, libelle: 'Bac du nord', secteur: 'Nord' },
      { ...bin, libelle: 'Bac du sud', secteur: 'Sud' },
    ])
    const { slug } = await stored()
    await page.goto(`${space}?tab=collectes`)
    const dialog = page.getByRole('dialog')
    const streets = dialog.getByLabel('Rues, une par ligne')
    for (const [name, lines] of [
      ['Nord', 'Rue Haute : 1-9\nRue Haute : tout'],
      ['Sud', 'Rue Haute : 10-\nPlace du Four'],
    ] as const) {
      await page.getByRole('button', { name: `Modifier le secteur ${name}` }).click()
      await streets.fill(lines)
      if (name === 'Nord') {
        await dialog.getByText('Ces lignes ne sont pas comprises : Rue Haute : tout').waitFor()
        expect(await barriersInEveryLook(page)).toEqual([])
        expect(await overflowsSideways(page)).toEqual([])
        if (process.env.PARVIS_PICTURES)
          await page.screenshot({ path: `${process.env.PARVIS_PICTURES}/390-secteur.png` })
        await streets.fill('Rue Haute : 1-9')
      }
      await dialog.getByRole('button', { name: 'Enregistrer' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByText('2 rues : Rue Haute : 10-, Place du Four…').waitFor()
    await page.getByRole('button', { name: 'Modifier le secteur Nord' }).click()
    await dialog.getByLabel('Nom du secteur').fill('Bourg')
    await dialog.getByRole('button', { name: 'Enregistrer' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Modifier le secteur Bourg' }).waitFor()
    expect((await stored()).collectes.map(({ secteur }: { secteur: string }) => secteur)).toEqual([
      'Bourg',
      'Sud',
    ])
    await page.getByRole('button', { name: 'Ajouter un secteur' }).click()
    await dialog.getByLabel('Nom du secteur').fill('Écarts')
    await streets.fill('Chemin du Loup')
    await dialog.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByRole('button', { name: 'Supprimer le secteur Écarts' }).click()
    await page.getByRole('button', { name: 'Rétablir' }).click()
    await page.getByText('Chemin du Loup').waitFor()

    const resident = await openPage({ url, width: 360, height: 740, javaScriptEnabled: false })
    await resident.goto(`/communes/${slug}`)
    await resident.getByText('Donner mon adresse').click()
    await resident.getByLabel('Votre adresse').fill('12 r. haute')
    await resident.getByRole('button', { name: 'Voir mes jours' }).click()
    await resident.getByRole('heading', { name: 'Bac du sud' }).waitFor()
    expect(await resident.getByRole('heading', { name: 'Bac du nord' }).count()).toBe(0)
    expect(new URL(resident.url()).search).toBe('?secteur=Sud')
    await resident.getByRole('link', { name: 'tous les secteurs' }).click()
    await resident.getByLabel('Votre adresse').fill('haute')
    await resident.getByRole('button', { name: 'Voir mes jours' }).click()
    if (process.env.PARVIS_PICTURES)
      await resident.screenshot({ path: `${process.env.PARVIS_PICTURES}/360-adresse.png`, fullPage: true })
    await resident.getByRole('link', { name: 'Rue Haute', exact: true }).click()
    await resident.getByText('ajoutez le numéro').waitFor()
    await resident.getByRole('link', { name: 'Secteur Bourg' }).click()
    await resident.getByRole('heading', { name: 'Bac du nord' }).waitFor()
  },
)
