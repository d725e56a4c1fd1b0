import { modules } from '../app.ts'
import { oidcSettings } from '../modules/sign-in/oidc/settings.ts'
import { grant, grantAndSign, ownIdentity, revokeTokens } from '../modules/users/tokens.ts'
import { type Role, roles } from '../platform/access/areas.ts'
import { identityDigests } from '../platform/access/erased-identities.ts'
import { type Config, readConfig, settingsOf } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import {
  type Arguments,
  command,
  findSecret,
  flag,
  type Io,
  isServed,
  readRole,
  sharedSecretOf,
  text,
  withDatabase,
} from './command.ts'

const options = { email: text, subject: text, issuer: text, role: text, ttl: text, revoke: flag }

/**
 * `token --email e [--role r] [--ttl 8h]`: prints the token alone on standard output. Also `--revoke`, and `--subject`
 * with `--issuer`.
 */
export const run = command(
  {
    name: 'token',
    usage: `Usage: npm run -s token -- --email <address> [--role <role>] [--ttl 8h]
  makes the user if needed, gives it the role (${roles.join(', ')}), and prints a token for it;
  --ttl is how long the token is valid: 30m, 8h, 7d (at most 366d)
npm run token -- --email <address> --revoke
  refuses every token issued before for this user
npm run token -- --subject <sub> --role <role> | --revoke [--issuer <url>]
  the same for the user that your identity provider calls <sub>; its tokens come from the provider;
  --issuer names the provider where AUTH_ISSUER and OIDC_ISSUER differ
`,
    options,
  },
  (given, io) => perform(readRequest(given), io),
)

type Request = {
  email: string | null
  subject: string | null
  issuer: string | null
  role: Role | null
  ttlS: number
  revoke: boolean
}

function readRequest({ values }: Arguments<typeof options>): Request {
  const { email = null, subject = null, issuer = null, role, ttl, revoke } = values
  if ((email === null) === (subject === null))
    throw new StartError('Name the user: --email <address>, or --subject <sub> for a user of your provider.')
  if (subject === null && issuer !== null)
    throw new StartError('--issuer goes with --subject: addresses belong to the own issuer.')
  if (revoke && (role ?? ttl) !== undefined)
    throw new StartError('--revoke takes no other option than the user.')
  if (subject !== null && !revoke && role === undefined)
    throw new StartError('Name the role: the tokens of this user come from your identity provider.')
  const ttlS = readTtl(ttl ?? '8h')
  return { email, subject, issuer, role: readRole(role), ttlS, revoke }
}

function readTtl(text: string): number {
  const [, number = '0', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const seconds = Number(number) * ({ m: 60, h: 3_600, d: 86_400 }[unit] ?? 0)
  if (seconds < 60 || seconds > 366 * 86_400)
    throw new StartError(`${text} is not a duration: use 30m, 8h or 7d, at most 366d.`)
  return seconds
}

async function perform({ email, subject, issuer, role, ttlS, revoke }: Request, io: Io): Promise<void> {
  const config = readConfig(modules, io.env)
  const identity = email === null ? providerIdentity(config, subject ?? '', issuer) : ownIdentity(email)
  if (email !== null) refuseWithoutOwnTokens(config)
  const served = isServed(config)
  const output = await withDatabase(io, config, async ({ db }) => {
    if (revoke) {
      await revokeTokens(db, identity, new Date())
      return `Every token of ${identity.subject} issued before now is refused.`
    }
    if (email !== null) {
      const secret = findSecret(config, served)
      const digests = identityDigests(config, secret)
      return grantAndSign(db, { email, role, ttlS, secret, digests, now: new Date() })
    }
    const { isNew } = await grant(db, identity, role, identityDigests(config, sharedSecretOf(config, served)))
    const granted = `${identity.subject} has the role ${role}.`
    return isNew ? `${granted} Nobody of ${identity.issuer} has signed in by this name yet.` : granted
  })
  io.stdout.write(`${output}\n`)
}

function providerIdentity(config: Config, subject: string, named: string | null) {
  if (subject === '' || subject.length > 255) throw new StartError('--subject has 1 to 255 characters.')
  return { issuer: issuerOf(config, named), subject, email: null }
}

/** Returns the issuer of tokens or of sign-in; if both are set and differ, `named` must choose one. */
function issuerOf(config: Config, named: string | null): string {
  const ofTokens = config.auth.jwks.issuer ?? null
  const ofSignIn = settingsOf(config, oidcSettings)?.issuer ?? null
  const issuer = ofTokens ?? ofSignIn
  if (issuer === null)
    throw new StartError('--subject names a user of your identity provider: set AUTH_ISSUER or OIDC_ISSUER.')
  if (named === null && ofTokens !== null && ofSignIn !== null && ofTokens !== ofSignIn)
    throw new StartError(
      `Name the provider too: --issuer ${ofTokens} (AUTH_ISSUER) or --issuer ${ofSignIn} (OIDC_ISSUER).`,
    )
  if (named !== null && named !== ofTokens && named !== ofSignIn)
    throw new StartError(`${named} is neither AUTH_ISSUER nor OIDC_ISSUER.`)
  return named ?? issuer
}

function refuseWithoutOwnTokens({ databaseUrl, auth }: Config): void {
  if (databaseUrl !== null && auth.jwtSecret === null)
    throw new StartError(
      'Tokens come from your identity provider (AUTH_JWKS_URL): name its user, with --subject <sub> --role <role>.',
    )
}
