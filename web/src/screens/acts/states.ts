import type { components } from '../../api/api.generated.ts'

export const actStates = [
  'draft',
  'published',
  'superseded',
  'archived',
  'occulted',
] as const satisfies readonly components['schemas']['ManagedAct']['state'][]
