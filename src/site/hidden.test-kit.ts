import type { World } from '../../test/support/world.ts'
import { insertAct } from '../modules/acts/acts.test-kit.ts'
import { addressOf } from '../modules/acts/open.ts'
import { hiddenStates, insertPublication } from '../modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../platform/formats/uuid.ts'

type Hidden = {
  /** Stands in every text of the record, and nowhere else. */
  word: string
  /** The address that the record would have; null for an alerte, which has none. */
  address: { path: string; id: string } | null
}

/** Inserts a record in each state that hides it from the public; returns them by their state. */
export async function insertHidden(
  world: Pick<World, 'db' | 'acteur'>,
  shared: NonNullable<Parameters<typeof insertPublication>[1]> & { commune_id: string },
): Promise<Record<string, Hidden>> {
  const hidden: Record<string, Hidden> = {}
  const { commune_id } = shared
  const wordOf = (state: string) => `cache-${state.replaceAll(' ', '-')}`

  async function hidePublication(state: string, values: Parameters<typeof insertPublication>[1]) {
    const word = wordOf(state)
    const named = { slug: word, title: `Secret ${word}` }
    const { id } = await insertPublication(world, { ...shared, ...named, ...values })
    hidden[state] = { word, address: { path: `/publications/${word}`, id } }
  }
  async function hideActeur(state: string, values: Parameters<typeof world.acteur>[0]) {
    const word = wordOf(state)
    const named = { slug: word, nom: `Pommeau ${word}`, description: word, valide: true, commune_id }
    const acteur = await world.acteur({ ...named, ...values })
    hidden[state] = { word, address: { path: `/acteurs/${word}`, id: acteur.id } }
    return acteur
  }
  async function hideAlerte(state: string, times: { debut: Date; fin: Date }) {
    const word = wordOf(state)
    const row = { id: uuidv7(), commune_id, titre: word, message: 'Un pommeau.', niveau: 'info' as const }
    await world.db
      .insertInto('alertes')
      .values({ ...row, ...times })
      .execute()
    hidden[state] = { word, address: null }
  }

  for (const [state, values] of Object.entries(hiddenStates)) await hidePublication(state, values)
  await hideActeur('acteur not validated', { valide: false })
  for (const [state, values] of [
    ['inactive', { active: false }],
    ['deleted', { deleted_at: new Date(), active: false }],
  ] as const) {
    const acteur = await hideActeur(`acteur ${state}`, values)
    await hidePublication(`of an acteur that is ${state}`, { acteur_id: acteur.id })
  }
  const draft = wordOf('draft of an act')
  const hall = await world.acteur({ slug: 'mairie-au-brouillon', type: 'mairie' })
  const act = await insertAct(world.db, { acteur_id: hall.id, title: `Pommeau ${draft}`, text: draft })
  hidden['draft of an act'] = { word: draft, address: { path: `/actes/${addressOf(act)}`, id: act.id } }
  let position = 100
  async function hidePage(state: string, values: { status: string; parent_id?: string }) {
    const word = wordOf(state)
    const id = uuidv7()
    const text = { slug: word, title: `Pommeau ${word}`, body: `<p>Secret ${word}</p>` }
    await world.db
      .insertInto('commune_pages')
      .values({ id, commune_id, ...text, position: ++position, ...values })
      .execute()
    hidden[state] = { word, address: { path: `/communes/ici/pages/${word}`, id } }
    return id
  }
  const parent_id = await hidePage('draft of a page', { status: 'draft' })
  await hidePage('page below a draft', { status: 'published', parent_id })
  await hideAlerte('alerte to come', { debut: new Date('2098-01-01'), fin: new Date('2099-01-01') })
  await hideAlerte('alerte of 2024', { debut: new Date('2024-01-01'), fin: new Date('2024-02-01') })
  return hidden
}
