import Type from 'typebox'
import { nullable, oneOf, textOrNull, titled } from '../../../platform/http/validation/schemas.ts'
import { actions, Run } from '../schema.ts'

export const RunQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({ description: 'Only shows what a run would do; usually false', examples: [true] }),
  ),
})

export const RunItem = titled('ImportRunItem', {
  external_id: textOrNull('urn:uuid:42'),
  title: textOrNull('Heure du conte'),
  action: oneOf(actions),
  reason: textOrNull('duplicate of another publication'),
})

export const DryRun = titled('ImportDryRun', {
  ...Run.properties,
  items: Type.Array(RunItem, { description: 'The first 1 000, in the order of the source' }),
  shared_address: nullable(
    titled(
      'ImportSharedAddress',
      {
        url: Type.String({ examples: ['https://mediatheque.example/agenda'] }),
        items: Type.Integer({ examples: [240] }),
      },
      'Many items have this address: their publications become suspected duplicates of each other',
    ),
  ),
})
