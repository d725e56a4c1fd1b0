import { modules } from '../app.ts'
import { makeSignInLink } from '../modules/sign-in/operator.ts'
import { roles } from '../platform/access/areas.ts'
import { identityDigests } from '../platform/access/erased-identities.ts'
import { readConfig } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import {
  command,
  flag,
  isServed,
  readRole,
  sessionKeysOf,
  sharedSecretOf,
  text,
  withDatabase,
} from './command.ts'

/** `sign-in --email e [--role r] [--reset-factors]`: prints a sign-in link alone on standard output. */
export const run = command(
  {
    name: 'sign-in',
    usage: `Usage: npm run -s sign-in -- --email <address> [--role <role>] [--reset-factors]
  prints a link that signs this user in to the back-office, once, within 30 minutes;
  makes the user if needed, and gives it the role (${roles.join(', ')});
  --reset-factors removes the second factors of somebody who lost them, and ends their sessions
`,
    options: { email: text, role: text, 'reset-factors': flag },
  },
  async ({ values: { email, 'reset-factors': resetFactors, ...values } }, io) => {
    if (email === undefined) throw new StartError('Name the user: --email <address>.')
    const role = readRole(values.role)
    const config = readConfig(modules, io.env, { needsSessionKey: true })
    const served = isServed(config)
    const link = await withDatabase(io, config, ({ db }) => {
      const secrets = {
        digests: identityDigests(config, sharedSecretOf(config, served)),
        sessionKeys: sessionKeysOf(config, served),
      }
      return makeSignInLink(db, { email, role, resetFactors, ...secrets, publicUrl: config.publicUrl })
    })
    io.stdout.write(`${link}\n`)
  },
)
