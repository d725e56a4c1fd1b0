import type { components } from '../../api/api.generated.ts'
import { defined, oneOf, pageOf, type SearchParams } from '../../shell/lists/search-params.ts'
import { actStates } from './states.ts'

export type ListedAct = components['schemas']['AdminAct']

/** `unstamped`: acts that wait for their timestamp. */
export type AdminActsSearch = {
  show?: ListedAct['state'] | 'unstamped'
  page?: number
}

export const adminActsSearch = ({ show, page }: SearchParams): AdminActsSearch =>
  defined({
    show: oneOf([...actStates, 'unstamped'] as const, show),
    page: pageOf(page),
  })
