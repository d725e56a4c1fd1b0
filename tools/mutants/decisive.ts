import { globSync } from 'node:fs'

const globs = [
  'src/modules/**/{rules,states,visibility,authorise,supervision,attachment,duplicates,signature,order,jobs,retention}.ts',
  'src/platform/{change,idempotency}.ts',
  'src/platform/access/{areas,mairies,rules,tokens,users}.ts',
  'src/platform/http/conditional.ts',
  'src/platform/http/listing/paging.ts',
  'src/platform/http/rate-limits/*.ts',
  'src/platform/jobs/{attempt,job,jobs,rows,sweeps,workers}.ts',
]

/**
 * Lists files that decide: rules, visibility, states, permissions, signatures, event order, limits, jobs. Throws if a
 * name of the list above exists nowhere.
 */
export function decisive(): string[] {
  return globs
    .flatMap(namesIn)
    .flatMap((glob) => {
      const files = globSync(glob)
      if (files.length === 0) throw new Error(`There is no ${glob}: correct the list of decisive files.`)
      return files
    })
    .filter((file) => !/\.test[a-z-]*\.ts$/.test(file))
    .sort()
}

/** Returns the pattern of each name in the braces of a pattern. */
function namesIn(glob: string): string[] {
  const [, before, names, after] = /^(.*)\{(.*)\}(.*)$/.exec(glob) ?? []
  return names?.split(',').map((name) => `${before}${name}${after}`) ?? [glob]
}
