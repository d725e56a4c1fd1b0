import { globSync } from 'node:fs'

/** Lists files that decide: rules, visibility, states, permissions, signatures, event order, limits, jobs. */
export function decisive(): string[] {
  return [
    'src/modules/**/{rules,states,visibility,rights,authorise,supervision,attachment,duplicates,signature,precedence,jobs,retention}.ts',
    'src/platform/{change,idempotency}.ts',
    'src/platform/access/{areas,mairies,rights,tokens,users}.ts',
    'src/platform/http/{conditional,versions,paging}.ts',
    'src/platform/http/rate-limits/*.ts',
    'src/platform/jobs/{attempt,job,jobs,rows,sweeps,workers}.ts',
  ]
    .flatMap((glob) => globSync(glob))
    .filter((file) => !/\.test[a-z-]*\.ts$/.test(file))
    .sort()
}
