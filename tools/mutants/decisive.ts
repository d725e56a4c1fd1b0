import { globSync } from 'node:fs'

const globs = [
  'src/modules/**/{rules,states,visibility,authorise,supervision,duplicates,signature,order,jobs,retention}.ts',
  // Use cases of one file.
  'src/modules/*/!(*-*|columns|constraints|content-fields|errors|jobs|kinds|module|permissions|personal|queries|record|schema|search-source|settings).ts',
  'src/platform/{change,idempotency}.ts',
  'src/platform/access/{areas,mairies,rules,tokens,users}.ts',
  'src/platform/http/conditional.ts',
  'src/platform/http/listing/paging.ts',
  'src/platform/http/rate-limits/*.ts',
  'src/platform/jobs/{attempt,job,jobs,rows,sweeps}.ts',
]

/**
 * Lists files that decide: rules, visibility, states, permissions, signatures, event order, limits, jobs. Throws if a
 * name of the list above exists nowhere.
 */
export function decisive(): string[] {
  const named = globs
    .flatMap(namesIn)
    .flatMap((glob) => {
      const files = globSync(glob)
      if (files.length === 0) throw new Error(`There is no ${glob}: correct the list of decisive files.`)
      return files
    })
    .filter((file) => !/\.(test|mail)[a-z-]*\.ts$/.test(file))
  return [...new Set(named)].sort()
}

/** Returns the pattern of each name in the braces of a pattern. */
function namesIn(glob: string): string[] {
  const [, before, names, after] = /^(.*)\{(.*)\}(.*)$/.exec(glob) ?? []
  return names?.split(',').map((name) => `${before}${name}${after}`) ?? [glob]
}
