import type { components } from '../../../api/api.generated.ts'
import { defined, oneOf, pageOf, type SearchParams, textOf } from '../../../shell/lists/search-params.ts'
import { actStates } from '../../acts/states.ts'

export type Act = components['schemas']['ManagedAct']

export const actKinds = [
  'deliberation',
  'arrete',
  'decision',
  'proces_verbal',
  'liste_des_deliberations',
  'budget',
  'autre',
] as const satisfies readonly Act['kind'][]

/** `corrects`: the act that the next file corrects, by its id. */
export type ActsSearch = {
  state?: Act['state']
  kind?: Act['kind']
  year?: number
  corrects?: string
  page?: number
}

export const actsSearch = ({ state, kind, year, corrects, page }: SearchParams): ActsSearch =>
  defined({
    state: oneOf(actStates, state),
    kind: oneOf(actKinds, kind),
    year: Number.isInteger(year) && Number(year) > 1_900 && Number(year) < 10_000 ? Number(year) : undefined,
    corrects: textOf(corrects),
    page: pageOf(page),
  })
