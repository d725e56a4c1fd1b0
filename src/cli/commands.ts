/** The commands; each file exports `run`. */
const commands: Record<string, () => Promise<{ run: (args: string[]) => Promise<number> }>> = {
  acts: () => import('./acts.ts'),
  audit: () => import('./audit.ts'),
  backup: () => import('./backup.ts'),
  broadcasts: () => import('./broadcasts.ts'),
  jobs: () => import('./jobs.ts'),
  load: () => import('./load.ts'),
  media: () => import('./media.ts'),
  migrate: () => import('./migrate.ts'),
  payments: () => import('./payments.ts'),
  privacy: () => import('./privacy.ts'),
  restore: () => import('./restore.ts'),
  retention: () => import('./retention.ts'),
  'sign-in': () => import('./sign-in.ts'),
  sources: () => import('./sources.ts'),
  token: () => import('./token.ts'),
}

export async function runCommand([name = '', ...args]: string[]): Promise<number> {
  const command = commands[name]
  if (command === undefined) {
    console.error(`There is no command "${name}": the commands are ${Object.keys(commands).join(', ')}.`)
    return 2
  }
  return (await command()).run(args)
}
