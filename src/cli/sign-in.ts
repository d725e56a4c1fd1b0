import { modules } from '../app.ts'
import { makeSignInLink } from '../modules/sign-in/operator/rules.ts'
import { type Role, roles } from '../platform/access/areas.ts'
import { identityDigests } from '../platform/access/erased-identities.ts'
import { readConfig } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import {
  attempt,
  type Io,
  ioOfProcess,
  isServed,
  readOptions,
  readRole,
  sessionKeysOf,
  sharedSecretOf,
  withDatabase,
} from './command.ts'

/** `sign-in --email e [--role r] [--reset-factors]`: prints a sign-in link alone on standard output. */
export function run(args: string[], io: Io = ioOfProcess()): Promise<number> {
  return attempt(io, async () => {
    const request = readArgs(args, io)
    if (request === null) io.stdout.write(usage)
    else await print(request, io)
  })
}

const usage = `Usage: npm run -s sign-in -- --email <address> [--role <role>] [--reset-factors]
  prints a link that signs this user in to the back-office, once, within 30 minutes;
  makes the user if needed, and gives it the role (${roles.join(', ')});
  --reset-factors removes the second factors of somebody who lost them, and ends their sessions
`

type Request = { email: string; role: Role | null; resetFactors: boolean }

function readArgs(args: string[], io: Io): Request | null {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const options = { email: text, role: text, 'reset-factors': flag, help: flag }
  const { values } = readOptions({ args, options }, 'sign-in', io)
  if (values.help) return null
  if (values.email === undefined) throw new StartError('Name the user: --email <address>.')
  return { email: values.email, role: readRole(values.role), resetFactors: values['reset-factors'] }
}

async function print(request: Request, io: Io): Promise<void> {
  const config = readConfig(modules, io.env, { needsSessionKey: true })
  const served = isServed(config)
  const link = await withDatabase(io, config, ({ db }) => {
    const secrets = {
      digests: identityDigests(config, sharedSecretOf(config, served)),
      sessionKeys: sessionKeysOf(config, served),
    }
    return makeSignInLink(db, { ...request, ...secrets, publicUrl: config.publicUrl })
  })
  io.stdout.write(`${link}\n`)
}
