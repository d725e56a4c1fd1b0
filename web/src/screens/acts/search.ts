import type { components } from '../../api/api.generated.ts'
import { defined, oneOf, pageOf, type SearchParams, textOf } from '../../shell/lists/search-params.ts'

export type ListedAct = components['schemas']['AdminAct']

export const shownStates = [
  'draft',
  'published',
  'superseded',
  'archived',
  'occulted',
] as const satisfies readonly ListedAct['state'][]

/** `unstamped`: acts that wait for their timestamp. `acteur`: the mairie, by its id. */
export type AdminActsSearch = {
  show?: ListedAct['state'] | 'unstamped'
  acteur?: string
  page?: number
}

export const adminActsSearch = ({ show, acteur, page }: SearchParams): AdminActsSearch =>
  defined({
    show: oneOf([...shownStates, 'unstamped'] as const, show),
    acteur: textOf(acteur),
    page: pageOf(page),
  })
