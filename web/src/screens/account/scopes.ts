import type { components } from '../../api/api.generated.ts'

export type Scope = components['schemas']['AccessKey']['scopes'][number]

type Name<Of extends string> = Of extends `${infer Record}.${infer Deed}` ? `${Record}_${Deed}` : never

/** Returns the name of a scope among the texts, where a dot would begin another level. */
export const scopeName = (scope: Scope) => scope.replace('.', '_') as Name<Scope>
