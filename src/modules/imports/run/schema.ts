import Type from 'typebox'
import { nullable, oneOf } from '../../../platform/http/validation/schemas.ts'
import { actions, Run } from '../schema.ts'

export const RunQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({ description: 'Only shows what a run would do; usually false', examples: [true] }),
  ),
})

export const RunItem = Type.Object(
  {
    external_id: nullable(Type.String({ examples: ['urn:uuid:42'] })),
    title: nullable(Type.String({ examples: ['Heure du conte'] })),
    action: oneOf(actions),
    reason: nullable(Type.String({ examples: ['duplicate of another publication'] })),
  },
  { title: 'ImportRunItem' },
)

export const DryRun = Type.Object(
  {
    ...Run.properties,
    items: Type.Array(RunItem, { description: 'The first 1 000, in the order of the source' }),
  },
  { title: 'ImportDryRun' },
)
