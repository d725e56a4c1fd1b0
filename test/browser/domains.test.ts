import { expect } from 'vitest'
import { publishText } from '../support/name-server.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import { barriersInEveryLook, builtWebApp, openPage, story } from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp })
const { url, db } = world
const { id: adminId } = await world.user({ roles: ['admin'], nom: 'Ada Byron' })
const admin = await world.as('admin')
await world.commune({ nom: 'Chambéry', slug: 'chambery', departement: '73' })
await world.commune({ nom: 'Aix-les-Bains', slug: 'aix-les-bains', departement: '73' })

story(
  'an administrator adds a domain, reads what its DNS needs, verifies it, changes its commune and deletes it',
  async () => {
    const session = await openSession(db, adminId, { hasShownFactor: true })
    const page = await openPage({ url, session, width: 360, height: 800, expects: /status of 409/ })
    await page.goto('/backoffice/domains')
    await page.getByText('Aucun domaine', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Ajouter un domaine' }).click()
    await page.getByRole('textbox', { name: 'Domaine' }).fill('https://WWW.Chambéry.test/accueil')
    await page.getByRole('combobox', { name: 'Une commune' }).fill('chamb')
    await page.getByRole('option', { name: /^Chambéry/ }).click()
    expect(await barriersInEveryLook(page)).toEqual([])
    await page.getByRole('button', { name: 'Ajouter', exact: true }).click()
    const host = 'www.xn--chambry-fya.test'
    await page.getByRole('heading', { name: host }).waitFor()
    await page.getByText('Non vérifié').waitFor()
    const [{ token }] = (await admin.get('/admin/domains')).body.data
    await page.getByText(`_parvis.${host}`).waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copier' }).last().click()
    await page.getByRole('button', { name: 'Copié' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token)
    await page.getByRole('button', { name: 'Vérifier' }).click()
    await page.getByText('Ni l’enregistrement ni le fichier ne sont là.').waitFor()
    expect(await barriersInEveryLook(page)).toEqual([])
    publishText(`_parvis.${host}`, token)
    await page.getByRole('button', { name: 'Vérifier' }).click()
    await page.getByText('Vérifié', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Changer' }).click()
    await page.getByRole('combobox', { name: 'Une commune' }).fill('aix')
    await page.getByRole('option', { name: /^Aix-les-Bains/ }).click()
    expect(await barriersInEveryLook(page)).toEqual([])
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByText(`${host} montre Aix-les-Bains`).waitFor()
    await page.getByText('Vérifié', { exact: true }).waitFor()
    const [changed] = (await admin.get('/admin/domains')).body.data
    expect([changed.commune.nom, changed.verified_at]).toEqual(['Aix-les-Bains', expect.any(String)])
    const folder = process.env.PARVIS_PICTURES
    if (folder) await page.screenshot({ path: `${folder}/domain-360.png`, fullPage: true })
    await page.goto('/backoffice/domains')
    await page.getByText('Aix-les-Bains · Vérifié · Adresse principale').waitFor()
    const second = { host: 'aix.test', commune_id: changed.commune.id }
    const { body } = await admin.post('/admin/domains', second)
    publishText('_parvis.aix.test', body.data.token)
    await admin.post(`/admin/domains/${body.data.id}/verify`)
    await page.goto(`/backoffice/domains/${body.data.id}`)
    await page.getByRole('button', { name: 'En faire l’adresse principale' }).click()
    await page.getByText('aix.test est l’adresse principale de Aix-les-Bains').waitFor()
    await page.getByText('Adresse principale', { exact: true }).waitFor()
    expect(await barriersInEveryLook(page)).toEqual([])
    if (folder) await page.screenshot({ path: `${folder}/primary-360.png`, fullPage: true })
    expect((await admin.get(`/admin/domains/${body.data.id}`)).body.data.is_primary).toBe(true)
    await admin.delete(`/admin/domains/${body.data.id}`)
    await page.goto('/backoffice/domains')
    const line = page.getByRole('link', { name: host })
    await line.waitFor()
    expect(await barriersInEveryLook(page)).toEqual([])
    await line.click()
    await page.getByRole('button', { name: 'Supprimer' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
    await page.getByText('Aucun domaine', { exact: true }).waitFor()
    expect((await admin.get('/admin/domains')).body.meta.total).toBe(0)
  },
)
