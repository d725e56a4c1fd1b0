import { expect } from 'vitest'
import { run as runAs, type World } from '../../test/support/world.ts'
import type { Connection } from '../platform/database/connection.ts'
import type { Io } from './command.ts'

/** Runs commands on the database of a world, as if the service were configured for it. */
export async function openCommandWorld(
  { database, config }: World,
  run: (args: string[], io: Io) => Promise<number>,
) {
  // The last step of a first start; commands wait for it.
  await runAs(database.owner, "insert into first_loads (name) values ('communes')")
  const env: NodeJS.ProcessEnv = {
    DATABASE_URL: urlOf(database.service),
    MIGRATE_DATABASE_URL: urlOf(database.owner),
    AUTH_JWT_SECRET: config.auth.jwtSecret ?? '',
    SESSION_KEY: config.sessionKeys.join(),
  }
  const { host, port, user, database: name } = database.service
  /** The first line of a command once it has connected. */
  const named = `Database: ${name} on ${host}:${port}, as ${user}\n`
  async function call(args: string | string[], given: NodeJS.ProcessEnv = env) {
    const said = { stdout: '', stderr: '' }
    const output = (name: keyof typeof said) => ({
      write(text: string) {
        said[name] += text
      },
    })
    const words = typeof args === 'string' ? args.split(' ').filter(Boolean) : args
    const code = await run(words, { stdout: output('stdout'), stderr: output('stderr'), env: given })
    return { code, ...said }
  }
  return {
    env,
    named,
    call,
    /** Returns the error message of a refused call, which exits with 2 and prints nothing else. */
    async refusal(args: string | string[]) {
      const { code, stdout, stderr } = await call(args)
      const said = stderr.replace(named, '')
      expect({ code, stdout, said }).toEqual({ code: 2, stdout: '', said: expect.stringMatching(/^.+\n$/) })
      return said.slice(0, -1)
    },
  }
}

/** Returns the URL of a connection; a URL can contain a socket folder only as a parameter. */
export function urlOf({ host, port, user, password, database }: Connection): string {
  return `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(`${host}`)}`
}
